import type { ToolCall } from "../../../core/call.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { Command } from "../../terminal/input/command.ts";
import { RUN_FLAGS } from "../../terminal/input/command.ts";
import { exitCodeOfResult } from "../../terminal/print/exit-code.ts";
import type { Calls } from "../../terminal/open-terminal-host.ts";
import { toLine } from "../../terminal/print/print-result.ts";
import { createOrderedOutput } from "../../../util/async/ordered-output.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import type { InputLine } from "../../terminal/input/read-lines.ts";
import { readLines } from "../../terminal/input/read-lines.ts";
import { readStdin } from "../../terminal/input/read-stdin.ts";
import { refuseArguments } from "../../terminal/input/refuse-arguments.ts";
import { newCallId } from "../../terminal/input/to-call.ts";
import { limitConcurrency } from "../../../util/async/limit-concurrency.ts";
import { openCalls } from "../../terminal/open-terminal-host.ts";

const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How many characters of calls may be taken in before the first of them is answered and printed; a short call counts as more. */
const ROOM = 16 * 1024 * 1024;
const MIN_WEIGHT = ROOM / 64;

export const batch: Command = {
  name: "batch",
  summary: "run calls from standard input, one JSON object a line, and print the answers in the same order",
  usage: "[--parallel N] [--envelope] < calls.jsonl",
  positionals: [],
  flags: {
    parallel: { summary: "run up to N calls at a time, whatever their effects", value: "N" },
    envelope: { summary: 'print {"tool_success": …} instead of whole answers' },
    ...RUN_FLAGS,
  },
  examples: [
    { line: "batch < calls.jsonl > answers.jsonl", does: 'each line is {"id", "name", "input"}' },
    {
      line: `batch <<< '{"name": "read_file", "input": {"path": "README.md"}}'`,
      does: "one call; an id is made up where there is none",
    },
    { line: "batch --parallel 8 --mode yolo < calls.jsonl", does: "eight at a time, nothing is asked" },
  ],
  async run({ positionals, flags }, world) {
    refuseArguments(positionals, "calls are read from standard input: toolwright batch < FILE");
    const parallel = readParallel(flags["parallel"]);
    const form = flags["envelope"] === true ? "envelope" : "json";
    const calls = await openCalls(flags, world, { mayAsk: false });
    const print = async (result: ToolResult): Promise<void> =>
      world.output.print(`${await toLine(result, form)}\n`);
    try {
      const lines = readLines(readStdin(world.stdin, calls.signal), { maxBytes: MAX_LINE_BYTES });
      const code = await runLines(lines, calls, parallel, print);
      return code === 0 && calls.signal.aborted && !world.output.closed.aborted ? 130 : code;
    } finally {
      await calls.close();
    }
  },
};

/** Runs each line's call in its turn and prints the answers in order. Gives the first exit code that is not 0. */
async function runLines(
  lines: AsyncIterable<InputLine>,
  calls: Calls,
  parallel: number | undefined,
  print: (result: ToolResult) => Promise<void>,
): Promise<number> {
  const limited = limitConcurrency(parallel ?? calls.config.concurrency);
  let exitCode = 0;
  const answers = createOrderedOutput<ToolResult>(ROOM, (result) => {
    exitCode ||= exitCodeOfResult(result);
    return print(result);
  });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if ("text" in line && line.text.trim() === "") continue;
    const call = toCall(line, number);
    const isFree = parallel !== undefined || (await isHarmless(calls, call));
    const answer = limited.run(isFree ? "together" : "alone", () => calls.run(call));
    // Whoever asks faster than they read the answers waits here.
    await answers.push(answer, Math.max(MIN_WEIGHT, "text" in line ? line.text.length : 0));
  }
  await answers.finish();
  return exitCode;
}

/** Without `--parallel`, what only reads runs together and everything else alone. */
async function isHarmless({ engine }: Calls, { name, unreadable }: ToolCall): Promise<boolean> {
  if (unreadable !== undefined) return true;
  // What it does is not known before its source has told.
  if (engine.get(name) === undefined) await engine.sources.settled();
  const tool = engine.get(name);
  return tool === undefined || tool.effects === "none";
}

/** What the input of a call is called elsewhere. */
const OTHER_NAMES = ["arguments", "args", "parameters", "params"];

/** A line that is no call is answered in its place. */
function toCall(line: InputLine, number: number): ToolCall {
  const made = newCallId();
  const unreadable = (reason: string, id = made): ToolCall => ({
    id,
    name: "",
    input: null,
    unreadable: reason,
  });
  if ("fault" in line) return unreadable(`line ${number} cannot be read: ${line.fault}`);
  const parsed = parseJson(line.text, `line ${number}`);
  if ("unreadable" in parsed) return unreadable(parsed.unreadable);
  const called = parsed.input;
  if (!isObject(called)) return unreadable(`line ${number} is no call: {"id", "name", "input"}`);
  const { id: given, name, input = null } = called;
  const id = typeof given === "string" || typeof given === "number" ? String(given) : made;
  if (typeof name !== "string") return unreadable(`line ${number} has no "name"`, id);
  const other = OTHER_NAMES.find((key) => Object.hasOwn(called, key));
  // Without its input a call may do something else than was meant.
  if (!Object.hasOwn(called, "input") && other !== undefined)
    return unreadable(`line ${number} has "${other}" instead of "input"`, id);
  return { id, name, input };
}

function readParallel(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parallel = Number(value);
  if (Number.isInteger(parallel) && parallel >= 1 && parallel <= 256) return parallel;
  throw new ToolError("INVALID_INPUT", "--parallel needs a whole number from 1 to 256");
}

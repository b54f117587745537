import type { ToolCall } from "../../../core/call.ts";
import { isObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import { ToolError } from "../../../core/errors.ts";
import { failedResult, toFault } from "../../../util/json/fault.ts";
import { PLACE_FLAG, RUN_FLAGS, type Command, type World } from "../../terminal/input/command.ts";
import { exitCodeOf, exitCodeOfResult, printFault, toLine } from "../../terminal/print/print-result.ts";
import { openCalls, type Calls } from "../../terminal/open-terminal-host.ts";
import { createOrderedOutput } from "./ordered-output.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import { newCallId } from "../../terminal/input/typed-call.ts";
import { readLines, readStdin, type InputLine } from "../../terminal/input/read-stdin.ts";
import { numberFlag, refuseArguments } from "../../terminal/input/check-arguments.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Characters of calls read ahead of the first unprinted answer; a short call counts as `MIN_WEIGHT`. */
const READ_AHEAD = 16 * 1024 * 1024;
const MIN_WEIGHT = READ_AHEAD / 64;

export const batch: Command = {
  name: "batch",
  summary: "run calls from standard input, one JSON object per line, and print the answers in order",
  usage: "[--parallel N] [--envelope] < calls.jsonl",
  flags: {
    parallel: { summary: "run up to N calls at once, whatever their effects", value: "N" },
    envelope: { summary: 'print the answers as {"tool_success": …}' },
    ...PLACE_FLAG,
    ...RUN_FLAGS,
  },
  examples: {
    "batch < calls.jsonl > answers.jsonl": 'each line is {"id", "name", "input"}',
    [`batch <<< '{"name": "read_file", "input": {"path": "README.md"}}'`]:
      "one call; a missing id is generated",
    "batch --parallel 8 --mode yolo < calls.jsonl": "eight at once; no call needs approval",
  },
  async run(given, world) {
    const { positionals, flags } = given;
    refuseArguments(positionals, "calls are read from standard input: toolwright batch < FILE");
    const parallel = numberFlag(given, "parallel", isCount, "a whole number from 1 to 256");
    const form = flags["envelope"] === true ? "envelope" : "json";
    const print: Print = (result, input) => world.output.print(`${toLine(result, form, input)}\n`);
    const opened = await openCalls(flags, world, { mayAsk: false }).catch((error: unknown) => {
      if (error instanceof ToolError && error.code === "UNAVAILABLE") return error;
      throw error;
    });
    if (opened instanceof ToolError) return answerAll(opened, world, print);
    await using calls = opened;
    const lines = readLines(readStdin(world.stdin, calls.signal), MAX_LINE_BYTES);
    const code = await runLines(lines, calls, parallel, print);
    return code === 0 && calls.signal.aborted && !world.output.closed.aborted ? 130 : code;
  },
};

interface Answered {
  readonly result: ToolResult;
  readonly input: unknown;
}

type Print = (result: ToolResult, input: unknown) => Promise<void>;

/** Answers every line with the reason why no call can run, such as a store that cannot be opened. Returns the exit code. */
async function answerAll(reason: ToolError, world: World, print: Print): Promise<number> {
  const error = toFault(reason);
  printFault("batch", error, world.output);
  let number = 0;
  for await (const line of readLines(readStdin(world.stdin, world.output.closed), MAX_LINE_BYTES)) {
    number += 1;
    if ("text" in line && line.text.trim() === "") continue;
    const { id, name, input } = toCall(line, number);
    await print(failedResult(id, name, error), input);
  }
  return exitCodeOf(error);
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= 256;

/** Runs the call on each line and prints the answers in order. Returns the first exit code that is not 0. */
async function runLines(
  lines: AsyncIterable<InputLine>,
  calls: Calls,
  parallel: number | undefined,
  print: Print,
): Promise<number> {
  const limited = limitConcurrency(parallel ?? calls.config.calls.concurrency);
  let exitCode = 0;
  const answers = createOrderedOutput<Answered>(READ_AHEAD, ({ result, input }) => {
    exitCode ||= exitCodeOfResult(result);
    return print(result, input);
  });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if ("text" in line && line.text.trim() === "") continue;
    const call = toCall(line, number);
    const isFree = parallel !== undefined || (await isReadOnly(calls, call));
    const answer = limited.run(isFree ? "together" : "alone", async () => {
      return { result: await calls.run(call), input: call.input };
    });
    // Backpressure: waits here if the answers are read more slowly than the calls are written.
    await answers.push(answer, Math.max(MIN_WEIGHT, "text" in line ? line.text.length : 0));
  }
  await answers.finish();
  return exitCode;
}

/** Without `--parallel`, calls that only read run together and all others alone. */
async function isReadOnly({ engine }: Calls, { name, unreadable }: ToolCall): Promise<boolean> {
  if (unreadable !== undefined) return true;
  // The effects are unknown until its source is loaded.
  if (engine.get(name) === undefined) await engine.sources.settled(name);
  const tool = engine.get(name);
  return tool === undefined || tool.effects === "none";
}

/** Other formats' names for the input of a call. */
const OTHER_NAMES = ["arguments", "args", "parameters", "params"];

/** Parses a line. A line that is not a call becomes an unreadable call, which is answered in its place. */
function toCall(line: InputLine, number: number): ToolCall {
  const newId = newCallId();
  const unreadable = (why: string, id = newId): ToolCall => ({ id, name: "", input: null, unreadable: why });
  if ("fault" in line) return unreadable(`line ${number} cannot be read: ${line.fault}`);
  const parsed = parseJson(line.text, `line ${number}`);
  if ("unreadable" in parsed) return unreadable(parsed.unreadable);
  const called = parsed.input;
  if (!isObject(called)) return unreadable(`line ${number} is not a call: {"id", "name", "input"}`);
  const { id: requestedId, name, input = null } = called;
  const id = typeof requestedId === "string" || typeof requestedId === "number" ? String(requestedId) : newId;
  if (typeof name !== "string") return unreadable(`line ${number} has no "name"`, id);
  const other = OTHER_NAMES.find((key) => Object.hasOwn(called, key));
  // Without its input, the call could do something that was not intended.
  if (!Object.hasOwn(called, "input") && other !== undefined)
    return unreadable(`line ${number} has "${other}" instead of "input"`, id);
  return { id, name, input };
}

import { ToolError } from "../../core/errors.ts";
import type { ToolCall } from "../../core/call.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import type { Arguments, Command, World } from "./command.ts";
import { RUN_FLAGS } from "./command.ts";
import { exitCodeOfResult } from "./exit-code.ts";
import { openCalls } from "./open-calls.ts";
import { printResult } from "./print-result.ts";
import { readInput } from "./read-input.ts";
import { readStdinText } from "./read-stdin.ts";

export const call: Command = {
  name: "call",
  summary: "run one tool and print its answer",
  usage: "NAME [key=value …] [--args JSON | --args -] [--json | --envelope]",
  positionals: ["tool", "parameter"],
  flags: {
    args: { summary: "the input as JSON; - reads it from standard input; key=value goes on top", value: "JSON" },
    json: { summary: "print the whole answer as JSON, whatever the outcome" },
    envelope: { summary: 'print {"tool_success": …} instead, whatever the outcome' },
    ...RUN_FLAGS,
  },
  examples: [
    { line: "call read_file path=README.md", does: "print a file with line numbers" },
    { line: "call grep pattern=TODO include='*.ts' --json", does: "search, and answer for a program" },
    { line: `call ls --args '{"path": ".", "recursive": true}'`, does: "give the input as JSON" },
    { line: "call shell command='git status' --yes", does: "approve this one call" },
    { line: "call shell command='sleep 60' --timeout 1 --mode yolo", does: "end it after a second (exit code 4)" },
  ],
  async run(given, world) {
    const result = await answer(given, world);
    await printResult(result, formOf(given), world.output);
    return exitCodeOfResult(result);
  },
};

async function answer({ positionals, flags }: Arguments, world: World): Promise<ToolResult> {
  const [name, ...words] = positionals;
  if (name === undefined) {
    throw new ToolError("INVALID_INPUT", "name the tool to call: toolwright call NAME key=value …", {
      hint: "toolwright tools lists them",
    });
  }
  const { args } = flags;
  const json = args === "-" ? await readStdinText(world.stdin) : args === undefined ? undefined : String(args);
  const calls = await openCalls(flags, world, { mayAsk: args !== "-" });
  try {
    return await calls.run(toCall(name, calls.engine.get(name), words, json));
  } finally {
    await calls.close();
  }
}

/** A call that cannot be read is a call all the same, and is answered. */
export function toCall(
  name: string,
  tool: Tool | undefined,
  words: readonly string[],
  json: string | undefined,
): ToolCall {
  const read = readInput(tool, words, json);
  const id = `call-${crypto.randomUUID()}`;
  return "input" in read ? { id, name, input: read.input } : { id, name, input: null, unreadable: read.unreadable };
}

function formOf({ flags }: Arguments): "text" | "json" | "envelope" {
  if (flags["envelope"] === true) return "envelope";
  return flags["json"] === true ? "json" : "text";
}

import { parse } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import type { Tool } from "../../../core/tool.ts";
import { detailsOf, type Failure, type ToolResult } from "../../../core/result.ts";
import { failedResult, toFault } from "../../../util/json/fault.ts";
import {
  PLACE_FLAG,
  RUN_FLAGS,
  type Arguments,
  type Command,
  type World,
} from "../../terminal/input/command.ts";
import { exitCodeOfResult, printResult } from "../../terminal/print/print-result.ts";
import { misplacedFlagHint } from "../../terminal/input/read-input.ts";
import { checkArgs, newCallId, readArgs, toCall, type TypedCall } from "../../terminal/input/typed-call.ts";
import { visible } from "../../../util/text/visible.ts";
import { findTool, openCalls, type Calls } from "../../terminal/open-terminal-host.ts";
import { refuseSessionTool } from "./refuse-session-tool.ts";

export const call: Command = {
  name: "call",
  summary: "run one tool and print its answer",
  usage: "NAME [VALUE] [key=value …] [--args JSON | --args -] [--json | --envelope]",
  positionals: ["tool", "parameter"],
  flags: {
    args: { summary: "input as JSON, - for standard input; key=value arguments override it", value: "JSON" },
    json: { summary: "print the whole answer as JSON, also on failure" },
    envelope: { summary: 'print the answer as {"tool_success": …}, also on failure' },
    ...PLACE_FLAG,
    ...RUN_FLAGS,
  },
  examples: {
    "call read_file README.md": "print a file; the value of the only required parameter needs no name",
    "call grep pattern=TODO include='*.ts' --json": "search, and print the answer as JSON",
    [`call ls --args '{"path": ".", "recursive": true}'`]: "pass the input as JSON",
    "call shell command='git status' --yes": "approve this one call",
    "call shell command='sleep 60' --timeout 1 --mode yolo": "cancel it after a second (exit code 4)",
  },
  hintFor: (flag, args) => misplacedFlagHint("call", flag, args),
  async run(given, world) {
    return answer(given, world, async ({ result, input }) => {
      await printResult(result, formOf(given), world.output, input);
      return exitCodeOfResult(result);
    });
  },
};

/** Prints an answer and returns the exit code. */
type Show = (answered: Answered) => Promise<number>;

interface Answered {
  readonly result: ToolResult;
  /** Undefined if the call did not reach the engine. */
  readonly input: unknown;
}

async function answer({ positionals, flags }: Arguments, world: World, show: Show): Promise<number> {
  const [name, ...words] = positionals;
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", "missing tool name: toolwright call NAME key=value …", {
      hint: "toolwright tools lists them",
    });
  const json = await readArgs(flags["args"], world);
  try {
    checkArgs(json);
    return await run({ name, words, json }, flags, { world, show });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return await show({ result: failedResult(newCallId(), name, toFault(error)), input: undefined });
  }
}

/** Shows the answer before everything is closed, which takes a few milliseconds. */
async function run(
  typed: TypedCall,
  flags: Arguments["flags"],
  { world, show }: { readonly world: World; readonly show: Show },
): Promise<number> {
  await using calls = await openCalls(flags, world, { mayAsk: flags["args"] !== "-", only: typed.name });
  const tool = await findTool(calls.engine, typed.name, world);
  if (tool === undefined) await refuseSessionTool(typed.name, calls.skills);
  const toolCall = toCall(typed, tool);
  refuseLasting(tool, toolCall.input);
  const result = await calls.run(toolCall);
  return await show({ result: withWayOut(result, calls), input: toolCall.input });
}

/** Throws if the call starts something that must outlive it: it would end with this process. */
function refuseLasting(tool: Tool | undefined, input: unknown): void {
  if (tool?.name !== "shell" || tool.source !== "built-in" || !isObject(input)) return;
  const isTerminal = input["terminal_id"] !== undefined;
  if (input["background"] !== true && !isTerminal) return;
  const what = isTerminal ? "terminal" : "background process";
  throw new ToolError("INVALID_INPUT", `toolwright call cannot start a ${what}: it would end with the call`, {
    hint: `start it in your own shell, or use it in toolwright chat, toolwright run or an MCP client`,
  });
}

/** Adds the command or the names that help after this failure. */
function withWayOut(result: ToolResult, calls: Calls): ToolResult {
  if (result.ok) return result;
  const { error } = result;
  const hint =
    detailsOf(error, "TOOL_DISABLED")?.group !== undefined
      ? switchedOn(result, calls)
      : error.code === "TOOL_NOT_FOUND"
        ? whyUnknown(result, calls)
        : undefined;
  return hint === undefined ? result : { ...result, error: { ...error, hint } };
}

/** Returns the command that activates a tool; undefined if only the config can. */
function switchedOn({ name, error }: Failure, { engine, session }: Calls): string | undefined {
  const group = detailsOf(error, "TOOL_DISABLED")?.group;
  const state = engine
    .session(session)
    .groups.list()
    .find((one) => one.name === group);
  if (state?.locked === true && !state.active) return undefined;
  return `toolwright call activate_tools tools=${name} switches it on; toolwright tools --reset ends earlier choices`;
}

/** Returns why the file of an unknown tool could not be loaded, or all names if none is near. */
function whyUnknown({ name, error }: Failure, { engine, session }: Calls): string | undefined {
  const failed = engine.sources.problems().find(({ subject }) => parse(subject).name === name);
  if (failed?.reason === "untrusted")
    return `${visible(failed.subject)}: ${failed.message}; ${failed.hint ?? "toolwright trust lists it"}`;
  if (failed !== undefined)
    return `${visible(failed.subject)} could not be loaded: ${failed.reason}; see toolwright tools --problems`;
  if (error.details !== undefined) return undefined;
  const names = engine.list({ session }).map((spec) => spec.name);
  return `the tools are ${names.join(", ")}`;
}

function formOf({ flags }: Arguments): "text" | "json" | "envelope" {
  if (flags["envelope"] === true) return "envelope";
  return flags["json"] === true ? "json" : "text";
}

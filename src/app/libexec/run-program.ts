import type { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { createInterrupt } from "../terminal/input/interrupt.ts";
import { checkInput, refuseProblems } from "./check-input.ts";
import { failureOf } from "./failure.ts";
import { helpOf } from "./pages.ts";
import type { Program, StartOptions } from "./program.ts";
import { readCall, writeAll } from "./stdio.ts";
import { createStandAloneContext, type CallLimits } from "./stand-alone-context.ts";

/** The default time limit; below the 30 s of callers, so that a search that times out can return what it found. */
const TIME_MS = 28_000;

/** The parts of the process that a program uses. */
export interface OwnProcess {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
}

/** Runs a program and returns the exit code. Never rejects: a failure is printed as JSON too. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  own: OwnProcess,
): Promise<number> {
  const [flag, ...rest] = args;
  const facts: Fact[] = [];
  try {
    if (flag !== undefined) return writeAll(pageOf(program, own, flag, rest));
    const result = await answer(program, own, (found) => facts.push(...found));
    return writeAll(`${JSON.stringify(result)}\n`);
  } catch (error) {
    const { exitCode, ...failure } = failureOf(error, { program, facts });
    return writeAll(`${JSON.stringify(failure)}\n`) || exitCode;
  }
}

function pageOf(program: Program, own: OwnProcess, flag: string, rest: readonly string[]): string {
  if (rest.length === 0 && (flag === "--help" || flag === "-h")) return helpOf(program);
  if (rest.length === 0 && (flag === "--version" || flag === "-V")) return `${own.version}\n`;
  throw new ToolError("INVALID_INPUT", `unexpected arguments: ${[flag, ...rest].join(" ")}`, {
    hint: "pass the call as JSON on standard input; --schema, --help and --version take no other arguments",
  });
}

async function answer(
  program: Program,
  own: OwnProcess,
  onFacts: (facts: readonly Fact[]) => void,
): Promise<JsonObject> {
  const given = readCall(program);
  const tool = program.createTool(startOptionsOf(own));
  const input = checkInput(tool, given);
  const interrupt = createInterrupt();
  const { signal, deadlineAt, stop } = startDeadline(tool, input, interrupt.signal);
  try {
    const limits = { signal, deadlineAt };
    refuseProblems((await tool.check?.(input, contextOf(program, input, [], limits))) ?? []);
    const facts = (await tool.facts?.(input, contextOf(program, input, [], limits))) ?? [];
    onFacts(facts);
    return program.toResult((await tool.run(input, contextOf(program, input, facts, limits))) as Reply);
  } catch (error) {
    throw interrupt.signal.aborted && !(error instanceof ToolError) ? cancelled(error) : error;
  } finally {
    stop();
    interrupt.close();
  }
}

function contextOf(
  { name }: Program,
  input: JsonObject,
  facts: readonly Fact[],
  limits: CallLimits,
): ReturnType<typeof createStandAloneContext> {
  return createStandAloneContext({ id: "1", name, input }, facts, limits);
}

function startOptionsOf({ env, cwd }: OwnProcess): StartOptions {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const home = env["HOME"];
  return {
    root: currentFolder(cwd),
    environment: Object.fromEntries(given),
    ...(home !== undefined && home !== "" && { home }),
  };
}

/** Returns the current folder, which the system resolves. */
function currentFolder(cwd: () => string): string {
  try {
    return cwd();
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", "the current folder is gone", {
      hint: "cd to one that exists",
      cause,
    });
  }
}

interface Deadline extends CallLimits {
  readonly stop: () => void;
}

function startDeadline(tool: Tool, input: JsonObject, interrupt: AbortSignal): Deadline {
  const timeoutMs = tool.limitsOf?.(input).timeoutMs ?? TIME_MS;
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new ToolError("TOOL_TIMEOUT", `${tool.name} timed out after ${timeoutMs / 1000} s`));
  }, timeoutMs);
  return {
    signal: AbortSignal.any([interrupt, deadline.signal]),
    deadlineAt: performance.now() + timeoutMs,
    stop: () => clearTimeout(timer),
  };
}

function cancelled(cause: unknown): ToolError {
  return new ToolError("CANCELLED", "the call was cancelled by a signal", { cause });
}

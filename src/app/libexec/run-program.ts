import type { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { createInterrupt } from "../terminal/input/interrupt.ts";
import { checkedInput, refuseProblems } from "./checked-input.ts";
import { failureOf } from "./failure.ts";
import { helpOf } from "./pages.ts";
import type { Program, Surroundings } from "./program.ts";
import { readCall } from "./read-call.ts";
import type { Ends } from "./stand-alone-context.ts";
import { createStandAloneContext } from "./stand-alone-context.ts";
import { writeAll } from "./write-all.ts";

/** A call that asks for no time of its own; below the 30 s that callers give, so that a search can still tell what it found. */
const TIME_MS = 28_000;

/** What a program takes of its own process. */
export interface OwnProcess {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
}

/** Does what the arguments say and gives the exit code. Never throws: what fails is a JSON answer too. */
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
  throw new ToolError("INVALID_INPUT", `unknown arguments: ${[flag, ...rest].join(" ")}`, {
    hint: "a call is JSON on standard input; --schema, --help and --version stand alone",
  });
}

async function answer(
  program: Program,
  own: OwnProcess,
  tellFacts: (facts: readonly Fact[]) => void,
): Promise<JsonObject> {
  const given = readCall(program);
  const tool = program.createTool(surroundingsOf(own));
  const input = checkedInput(tool, given);
  const interrupt = createInterrupt();
  const { signal, deadlineAt, stop } = startDeadline(tool, input, interrupt.signal);
  try {
    const ends = { signal, deadlineAt };
    refuseProblems((await tool.check?.(input, contextOf(program, input, [], ends))) ?? []);
    const facts = (await tool.facts?.(input, contextOf(program, input, [], ends))) ?? [];
    tellFacts(facts);
    return program.toResult((await tool.run(input, contextOf(program, input, facts, ends))) as Reply);
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
  ends: Ends,
): ReturnType<typeof createStandAloneContext> {
  return createStandAloneContext({ id: "1", name, input }, facts, ends);
}

function surroundingsOf({ env, cwd }: OwnProcess): Surroundings {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const home = env["HOME"];
  return {
    root: currentFolder(cwd),
    environment: Object.fromEntries(given),
    ...(home !== undefined && home !== "" && { home }),
  };
}

/** The system gives the canonical one. */
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

interface Deadline extends Ends {
  readonly stop: () => void;
}

function startDeadline(tool: Tool, input: JsonObject, interrupt: AbortSignal): Deadline {
  const timeoutMs = tool.limitsOf?.(input).timeoutMs ?? TIME_MS;
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new ToolError("TOOL_TIMEOUT", `${tool.name} was ended after ${timeoutMs / 1000} s`));
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

import type { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import { isObject, type JsonObject, type Json } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { currentFolder } from "../config/environment.ts";
import { createInterrupt } from "../terminal/input/interrupt.ts";
import { failureOf, type Program, type StartOptions } from "./program.ts";
import { helpOf } from "./pages.ts";
import { readCall, writeAll } from "./stdio.ts";
import type { Problem } from "../../core/result.ts";
import { createValidator } from "../../schema/validate.ts";
import { describeProblems } from "../../json-schema/problems/findings.ts";
import type { Key, ToolContext } from "../../core/context.ts";
import { FileAccessKey, type FileAccess } from "../../core/session/file-access.ts";

/** The default time limit; below the 30 s of callers, so that a search that times out can return what it found. */
const TIME_MS = 28_000;

/** The parts of the process that a program uses. */
interface OwnProcess {
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
    const { exitCode, ...failure } = failureOf(error, program, facts);
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
  const rawInput = readCall(program);
  const tool = program.createTool(startOptionsOf(own));
  const input = checkInput(tool, rawInput);
  const interrupt = createInterrupt(process);
  const { signal, deadlineAt, stop } = startDeadline(tool, input, interrupt.signal);
  try {
    const context = createContext({ id: "1", name: program.name, input }, { signal, deadlineAt });
    const problems = (await tool.check?.(input, context)) ?? [];
    if (problems.length > 0) refuse(problems);
    const facts = (await tool.facts?.(input, context)) ?? [];
    onFacts(facts);
    return program.toResult((await tool.run(input, { ...context, facts })) as Reply);
  } catch (error) {
    if (!interrupt.signal.aborted || error instanceof ToolError) throw error;
    throw new ToolError("CANCELLED", "the call was cancelled by a signal", { cause: error });
  } finally {
    stop();
    interrupt.close();
  }
}

function startOptionsOf({ env, cwd }: OwnProcess): StartOptions {
  const variables = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const home = env["HOME"];
  return {
    root: currentFolder(cwd),
    environment: Object.fromEntries(variables),
    ...(home !== undefined && home !== "" && { home }),
  };
}

function startDeadline(tool: Tool, input: JsonObject, interrupt: AbortSignal) {
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

/** Validates and coerces the input as the engine does, and fills in defaults. Throws with all problems. */
function checkInput(tool: Tool, given: Json): JsonObject {
  if (!isObject(given)) {
    const got = Array.isArray(given) ? "a list" : given === null ? "null" : `a ${typeof given}`;
    return refuse([{ kind: "type", path: "", expected: "an object with the parameters", got }]);
  }
  const checked = createValidator(tool.input).check(withoutAliases(tool, given));
  if (!checked.ok) return refuse(checked.problems);
  return checked.value as JsonObject;
}

/** Renames parameters that are given under a name of other systems. Throws for one that is given twice. */
function withoutAliases({ parameterAliases: aliases = {} }: Tool, given: JsonObject): JsonObject {
  const named = Object.entries(given).map(([key, value]): [string, Json] => {
    const target = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key;
    if (target === key || !Object.hasOwn(given, target)) return [target, value];
    const expected = `${target} or ${key}, which are the same parameter`;
    return refuse([{ kind: "value", path: `/${key}`, expected, got: "both" }]);
  });
  return Object.fromEntries(named);
}

function refuse(problems: readonly Problem[]): never {
  throw new ToolError("INVALID_INPUT", `invalid input: ${describeProblems(problems)}`, {
    details: { problems: problems as unknown as readonly JsonObject[] },
  });
}

/** Returns a context without an engine: it stores nothing, drops events, denies every question and has no other tools. */
function createContext(
  call: ToolContext["call"],
  limits: Pick<ToolContext, "signal" | "deadlineAt">,
): ToolContext {
  const find = <T>(key: Key<T>): T | undefined =>
    key.name === FileAccessKey.name ? (NOTHING_SEEN as T) : undefined;
  const alone = (): never => {
    throw new ToolError("UNAVAILABLE", "a stand-alone program has no engine to call another tool");
  };
  return {
    call,
    facts: [],
    attempt: 1,
    idempotencyKey: call.id,
    ...limits,
    emit: () => undefined,
    ask: () => Promise.resolve({ approved: false, reason: "a stand-alone program cannot prompt" }),
    find,
    get(key) {
      const value = find(key);
      if (value === undefined)
        throw new ToolError("MISSING_CONTEXT", `there is no ${key.name} without an engine`);
      return value;
    },
    run: async () => alone(),
    runAll: async () => alone(),
  };
}

/** A program runs one call, so no file was read before. */
const NOTHING_SEEN: FileAccess = { seen: () => Promise.resolve(undefined), note: () => Promise.resolve() };

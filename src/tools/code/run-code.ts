import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import type { InnerCall, ToolContext } from "../../core/context.ts";
import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { anyJson, integer, object, optional, string } from "../../schema/define/schema.ts";
import { defined } from "../../util/json/defined.ts";
import { textOf } from "../../util/text/text-of.ts";
import { builtIn, named } from "../shared/built-in-tool.ts";
import { declareTools, toolsNamed, type DeclaredTool } from "./declarations.ts";
import { runProgram, type CallAnswer, type ProgramCall } from "./run-program.ts";

const NAME = "run_code";
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How long its calls may take to end after a cancellation. */
const GRACE_MS = 3000;
const MEGABYTE = 1024 * 1024;
const MAX_MEMORY_MB = 64;
const MAX_CALLS = 1000;
const MAX_PRINTED = MEGABYTE;
/** Answers up to this size reach the program uncut. */
const MAX_ANSWER_BYTES = MEGABYTE;
/** With longer declarations, the description says how to get those that are needed. */
const MAX_DECLARATIONS = 8 * 1024;

const input = object({
  code: string("The body of an async function: it may use await, and returns its result with return", {
    min: 1,
  }),
  timeout_seconds: optional(
    integer("Time limit in seconds, without the time that approvals take", { min: 1, max: MAX_SECONDS }),
    DEFAULT_SECONDS,
  ),
});

export const RUN_CODE = named("run_code", input, {
  calls: integer(),
  failed: integer(),
  console: string(),
  result: optional(anyJson()),
});

export interface CodeOptions {
  /** Returns the schema of a tool's data, if its definition has none. */
  readonly dataOf: (name: string) => JsonSchema | undefined;
}

/** Runs a program that calls tools, each through the whole pipeline. */
export function runCode({ dataOf }: CodeOptions): Tool {
  const description =
    "Runs JavaScript that calls tools: `await tools.NAME(input)`. For many calls whose answers need not all be read: loop, filter, combine, and return only what " +
    "matters. Each call is judged and approved like any other. Promise.all runs calls in parallel if their effects allow it. " +
    "A call resolves to `{ text, data }` and rejects with a ToolError that has `code`, `message` and `hint`. The program has console.log, the language, and nothing else: no " +
    'modules, files, network or timers. The answer is what it prints and returns. `await declarations("NAME", "SERVER__*")` returns the types of tools, and tools.search_tools({ query }) ' +
    `finds tools. Limits: ${MAX_CALLS} calls, ${MAX_MEMORY_MB} MB of memory, ${MAX_PRINTED / MEGABYTE} MB of output, timeout_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}).`;
  return builtIn({
    ...RUN_CODE,
    description,
    risk: "low",
    place: "host",
    group: "running",
    effects: "unsafe",
    // It passes on what untrusted tools answered.
    isUntrusted: true,
    repeatsSession: true,
    limitsOf: ({ timeout_seconds }) => ({ timeoutMs: timeout_seconds * 1000, graceMs: GRACE_MS }),
    describe(tools) {
      const others = tools.filter(({ name }) => name !== NAME);
      const declared = declareTools(others, { isFull: false, dataOf });
      return declared.length > MAX_DECLARATIONS ? description : `${description}\n\n${ANSWER}\n${declared}`;
    },
    async run({ code }, context) {
      const tools = context.get(ActiveTools);
      const counts = { calls: 0, failed: 0 };
      const printed: string[] = [];
      const declare = (names: readonly string[]): string => declareNamed(tools, names, dataOf);
      const text = await runProgram({
        code,
        names: tools.list().flatMap(({ name }) => (name === NAME ? [] : [name])),
        maxBytes: MAX_MEMORY_MB * MEGABYTE,
        maxCalls: MAX_CALLS,
        maxPrinted: MAX_PRINTED,
        signal: context.signal,
        onCalls: (calls) => answerCalls(calls, context, declare, counts),
        onPrinted({ stream, text: line }) {
          context.emit({ stream, text: line });
          printed.push(line);
        },
      });
      return toReply(text, printed.join(""), counts);
    },
  });
}

const ANSWER = "type Answer<T = unknown> = { text: string; data?: T };";

/** Runs the calls that the program waits for, together. */
async function answerCalls(
  calls: readonly ProgramCall[],
  context: ToolContext,
  declare: (names: readonly string[]) => string,
  counts: { calls: number; failed: number },
): Promise<readonly CallAnswer[]> {
  const tools = context.get(ActiveTools);
  const isNested = ({ name }: ProgramCall): boolean =>
    name === NAME || (name !== null && tools.get(name)?.name === NAME);
  const inner = calls.filter((call): call is InnerCall => call.name !== null && !isNested(call));
  counts.calls += inner.length;
  const results = await context.runAll(inner, { fence: false, maxBytes: MAX_ANSWER_BYTES });
  const left = results[Symbol.iterator]();
  return calls.map((call): CallAnswer => {
    if (call.name === null) return { value: declare(call.input as readonly string[]) };
    if (isNested(call)) return { error: NESTED };
    const { value: result } = left.next() as { readonly value: ToolResult };
    if (!result.ok) counts.failed += 1;
    return toAnswer(result);
  });
}

const NESTED: JsonObject = { code: "INVALID_INPUT", message: "a program cannot run another program" };

function toAnswer(result: ToolResult): CallAnswer {
  if (!result.ok) {
    const { code, message, hint, details } = result.error;
    return { error: { code, message, ...defined({ hint, details }) } };
  }
  return { value: { text: textOf(result.content), ...defined({ data: result.data }) } };
}

function declareNamed(tools: ToolList, names: readonly string[], dataOf: CodeOptions["dataOf"]): string {
  const all: readonly DeclaredTool[] = [...tools.all()].map(({ tool }) => tool);
  const namedTools = toolsNamed(all, names);
  if (namedTools.length === 0) return `// no tool is named ${names.join(", ")}`;
  return `${ANSWER}\n${declareTools(namedTools, { isFull: true, dataOf })}`;
}

function toReply(
  text: string | undefined,
  printed: string,
  { calls, failed }: { readonly calls: number; readonly failed: number },
): Reply {
  const result = text === undefined ? undefined : (JSON.parse(text) as Json);
  const resultText = typeof result === "string" ? result : text;
  const lines = [printed.replace(/\n$/, ""), resultText ?? ""].filter((part) => part !== "");
  const summary = lines.length === 0 ? "[no output: use return or console.log]" : lines.join("\n");
  return new Reply(summary, { data: { calls, failed, console: printed, ...defined({ result }) } });
}

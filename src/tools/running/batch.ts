import { attempt } from "../../util/async/attempt.ts";
import { builtIn, valueProblem, named } from "../shared/built-in-tool.ts";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply, type Content } from "../../core/content.ts";
import type { InnerCall, ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Problem, ToolResult } from "../../core/result.ts";
import {
  anyJson,
  boolean,
  integer,
  list,
  object,
  optional,
  record,
  string,
  type Infer,
} from "../../schema/define/schema.ts";
import { RISKS, type Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";

const NAME = "batch";
const MAX_CALLS = 25;
const TIMEOUT_MS = 600_000;
/** How long its calls may take to end after a cancellation. */
const GRACE_MS = 3000;
/** The limit of all answers together; each is also cut on its own. */
const MAX_BYTES = 50 * 1024;

const invocation = object({
  tool: string("The name of a tool", { min: 1 }),
  arguments: optional(record(anyJson(), "Its input"), {}),
});

/** The names in the calls of other systems. */
const ALIASES = Object.fromEntries([
  ...["tool_name", "name"].map((name) => [`invocations[].${name}`, "tool"]),
  ...["parameters", "params", "args", "input"].map((name) => [`invocations[].${name}`, "arguments"]),
]) as Readonly<Record<string, string>>;

const input = object({ invocations: list(invocation, "The calls", { min: 1, max: MAX_CALLS }) });

export const BATCH = named("batch", input, {
  failed: integer(),
  results: list(
    object({
      tool: string(),
      ok: boolean(),
      data: optional(anyJson()),
      error: optional(object({ code: string(), message: string(), hint: optional(string()) })),
    }),
  ),
});

type Invocation = Infer<typeof invocation>;

/** Runs several calls, each through the whole pipeline. A failure does not affect the others. */
export function batch(): Tool {
  return builtIn({
    ...BATCH,
    description:
      `Runs up to ${MAX_CALLS} calls of other tools, in parallel if their effects allow it and else in order, and returns ` +
      `all results in the same order. A failure does not affect the other calls. A batch cannot contain a batch. ` +
      `The whole batch ends after ${TIMEOUT_MS / 60_000} minutes; the results together are cut at ${MAX_BYTES / 1024} KB.`,
    risk: "high",
    place: "host",
    group: "running",
    effects: "unsafe",
    parameterAliases: ALIASES,
    limits: { timeoutMs: TIMEOUT_MS, graceMs: GRACE_MS, maxBytes: MAX_BYTES },
    riskOf: ({ invocations }, context) => highestRisk(invocations, context),
    check: ({ invocations }, context) => nestedBatches(invocations, context.find(ActiveTools)),
    calls: ({ invocations }) => toCalls(invocations),
    attributes: ({ invocations }) => ({ invocations: invocations.length }),
    async run({ invocations }, context) {
      const results = await context.runAll(toCalls(invocations));
      if (context.signal.aborted) throw aborted(context.signal.reason, results);
      return answer(results);
    },
  });
}

function toCalls(invocations: readonly Invocation[]): readonly InnerCall[] {
  return invocations.map(({ tool, arguments: given }) => ({ name: tool, input: given }));
}

function highestRisk(invocations: readonly Invocation[], context: ToolContext): Risk {
  const tools = context.find(ActiveTools);
  if (tools === undefined) return "high";
  const risks = invocations.map((one) => RISKS.indexOf(riskOf(one, tools, context)));
  return RISKS[Math.max(...risks)] ?? "high";
}

/** Only decides which modes ask for the batch: each call is also checked and judged on its own. */
function riskOf({ tool: name, arguments: given }: Invocation, tools: ToolList, context: ToolContext): Risk {
  const tool = tools.get(name);
  // An unknown tool runs nothing.
  if (tool === undefined) return "low";
  const risk = attempt(() => tool.riskOf?.(given, context)) ?? tool.risk;
  return RISKS.includes(risk) ? risk : tool.risk;
}

function nestedBatches(invocations: readonly Invocation[], tools: ToolList | undefined): readonly Problem[] {
  return invocations.flatMap(({ tool }, index) => {
    if (tool !== NAME && tools?.get(tool)?.name !== NAME) return [];
    const expected = "a tool other than batch: list its invocations here";
    return valueProblem(`/invocations/${index}/tool`, expected, tool);
  });
}

function answer(results: readonly ToolResult[]): Reply {
  const failed = results.filter(({ ok }) => !ok).length;
  const summary = `[${results.length} calls, ${failed === 0 ? "all succeeded" : `${failed} failed`}]`;
  const content: readonly Content[] = [
    { type: "text", text: summary },
    ...results.flatMap((result, index) => [
      { type: "text", text: heading(result, index) } as const,
      ...result.content,
    ]),
  ];
  return new Reply(content, { data: { failed, results: results.map(toData) } });
}

function aborted(reason: unknown, results: readonly ToolResult[]): ToolError {
  const { code, message } =
    reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  const emitted = results.map(heading).join("\n");
  return new ToolError(code, message, { details: { emitted, results: results.map(toData) }, cause: reason });
}

function heading(result: ToolResult, index: number): string {
  return `[${index + 1}] ${result.name}: ${result.ok ? "ok" : result.error.code}`;
}

function toData(result: ToolResult): JsonObject {
  const { name: tool, ok } = result;
  if (!result.ok) {
    const { code, message, hint } = result.error;
    return { tool, ok, error: { code, message, ...defined({ hint }) } };
  }
  return { tool, ok, ...defined({ data: result.data }) };
}

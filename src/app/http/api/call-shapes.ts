import { ERROR_CODES, type ErrorCode } from "../../../core/errors.ts";
import type { Fact } from "../../../core/fact.ts";
import { MODES } from "../../../core/policy.ts";
import type { Fault, RanOn, ToolResult } from "../../../core/result.ts";
import { DECISIONS, type Rule } from "../../../core/rule.ts";
import { RISKS } from "../../../core/spec.ts";
import type { CallUsage, StageTime } from "../../../core/store/journal.ts";
import type { Verdict } from "../../../core/verdict.ts";
import type { Touched } from "../../host/approvals/question.ts";
import {
  anyJson,
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { PhaseShape } from "./phase-shape.ts";
import { anyObject, at, typed } from "./typed.ts";

const CALL_STATES = ["open", "pending", "answered", "interrupted"] as const;
const CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];

const PlaceShape = nullable(string("host, sandbox or fleet"));
export const Mode = oneOf(MODES, "approval mode");

export const Risk = oneOf(RISKS, "low: reads; medium: writes files; high: runs programs");

export const FaultShape = typed<Fault>("why a call or a request failed", {
  code: oneOf(CODES),
  message: string(),
  hint: optional(string("what to do about it")),
  details: optional(anyObject("by code")),
});

export const ResultShape = typed<ToolResult>(
  "the one answer to a call: `content` is what the model gets, `data` is for programs, or `error`",
  {
    ok: boolean(),
    callId: string(),
    name: string(),
    content: list(anyObject("text, image, audio or file")),
    data: optional(anyJson("for programs")),
    error: optional(FaultShape),
    meta: anyObject("startedAt, durationMs, place, attempts, source, coerced, truncated"),
  },
);

export const FactShape = typed<Fact>(
  "something that a call touches: a path, a command, a host or an MCP tool",
  { kind: oneOf(["path", "command", "host", "mcp"]) },
);

export const TouchedShape = typed<Touched>("a fact as text, without hidden characters", {
  text: string(),
  programs: list(string("of a command: what it runs")),
});

export const RuleShape = typed<Rule>("a rule of policy; docs/policy.md has its fields", {
  decision: oneOf(DECISIONS),
});

export const VerdictShape = typed<Verdict>("the decision of policy", {
  kind: oneOf(DECISIONS),
  reason: string(),
  rule: string("id of the rule that decided"),
  hint: optional(string()),
  grant: optional(RuleShape),
  ungrantable: optional(string("why no lasting grant is offered")),
  offers: optional(list(anyObject("a wider rule: scope, label, rule, warning"))),
});

/** What a call cost. */
const Usage = typed<CallUsage>("the share of the call in the model's answer that asked for it", {
  model: string(),
  inputTokens: number(),
  outputTokens: number(),
  cost: optional(number("in USD; absent if the price is not known")),
});

/** One line of the list of calls. */
export const CallRow = object(
  {
    callId: string("its caller gave it; calls of others may have it too"),
    name: string("the tool"),
    session: nullable(string()),
    folder: nullable(string("the folder that it was made in")),
    parentId: nullable(string("the call whose tool made this call")),
    state: oneOf(CALL_STATES),
    receivedAt: number(at),
    startedAt: nullable(number("when the tool began to run")),
    durationMs: nullable(number("null until it is answered")),
    outcome: nullable(oneOf(["ok", ...CODES]), "ok, the code of the error, or null"),
    summary: string("the input in one line"),
    message: nullable(string("the first line of the error, or how the command of the call failed")),
    place: PlaceShape,
    source: nullable(string("of its tool; null until it is answered")),
    subject: nullable(string("the user on whose behalf it was made")),
    worker: nullable(string("id of the worker that ran it, if that was in another process")),
    machine: nullable(string("that ran it, or received it")),
    usage: nullable(Usage),
    isHere: boolean("the call runs in this process and can be cancelled here"),
  },
  "a call",
);

export type CallRow = Infer<typeof CallRow>;

export const CallPage = object({
  calls: list(CallRow, "newest first"),
  next: nullable(string("pass it as `before` for the next page")),
  isPartial: boolean("only a part of the journal was searched; `next` goes on there"),
});

/** Which calls are listed or exported. */
const CallFilter = {
  name: optional(string("only this tool")),
  session: optional(string("only this session")),
  state: optional(oneOf(CALL_STATES)),
  outcome: optional(
    oneOf(
      ["ok", "failed", "failed_not_denied", ...CODES],
      "ok, failed, failed_not_denied or the code of an error",
    ),
  ),
  text: optional(string("only calls whose tool, input or answer has this text", { min: 1, max: 500 })),
  from: optional(number("only calls that were received at this time or later", { min: 0 })),
  to: optional(number("only calls that were received before this time", { min: 0 })),
  parent: optional(string("only the calls that this call made")),
  source: optional(string("only calls of tools of this source")),
  place: optional(string("only calls that ran here: host, sandbox or fleet")),
  machine: optional(string("only calls of this machine, or of the worker with this id")),
  model: optional(string("only calls that this model asked for")),
  folder: optional(string("only calls that were made in this folder")),
  all: optional(boolean("calls of every folder, not only of the first folder of the workspace"), false),
} as const;

export const CallQuery = object({
  limit: optional(integer("calls on a page", { min: 1, max: 1000 }), 100),
  before: optional(string("`next` of the page before")),
  ...CallFilter,
});

export const TraceQuery = object({
  format: optional(oneOf(["jsonl", "otlp", "html"]), "jsonl"),
  limit: optional(integer("newest calls, at most", { min: 1, max: 100_000 }), 1000),
  ...CallFilter,
});

/** How an approval was decided. */
const ApprovalTrace = typed<{
  readonly askedAt: number;
  readonly answeredAt: number | null;
  readonly approved: boolean | null;
  readonly by?: string;
  readonly scope?: string;
  readonly reason?: string;
  readonly grantId?: string;
}>("the approval of a call", {
  askedAt: number(at),
  answeredAt: nullable(number(at)),
  approved: nullable(boolean()),
});

export interface RecordedEvent {
  readonly type: string;
  readonly at: number;
  readonly [key: string]: unknown;
}

/** A recorded event; `events.ts` describes them. */
const RawEvent = typed<RecordedEvent>("an event of the engine, as it was emitted", {
  type: string(),
  at: number(at),
});

export const CallDetail = object({
  call: CallRow,
  stages: list(
    typed<StageTime>("times in milliseconds since the call was received", {
      stage: string(),
      from: number(),
      to: number(),
    }),
    "the stages that it waited for",
  ),
  phases: list(PhaseShape, "of an answered call, in order"),
  ranOn: nullable(
    typed<RanOn>("the process that ran the tool", { worker: string("its id"), machine: string() }),
  ),
  input: anyJson("as the caller gave it, without secrets"),
  coerced: nullable(anyJson("the input that ran, if it differs")),
  risk: nullable(Risk),
  facts: list(FactShape),
  touches: list(TouchedShape, "the facts as text"),
  verdict: nullable(VerdictShape),
  approval: nullable(ApprovalTrace),
  place: PlaceShape,
  attempts: integer("how often the tool ran"),
  progress: list(anyJson("a text, {stream, text} or {message, done, total, data}"), "the last ones"),
  result: nullable(ResultShape),
  artifactId: nullable(string("has the whole of a cut answer")),
  calls: list(CallRow, "the calls that it made"),
  others: list(CallRow, "other calls with this id, newest first, at most 20"),
  events: list(RawEvent, "as they were emitted; for a call of another process, those that its record has"),
});

export const NewCall = object({
  name: string("the tool", { min: 1 }),
  input: optional(anyObject("by the tool's schema"), {}),
  id: optional(string("id of the call; default: a new one", { min: 1, max: 200, pattern: "^[\\w.:-]+$" })),
  session: optional(string("default: the session of the workspace", { min: 1, max: 200 })),
  mode: optional(oneOf(MODES, "approval mode, if it is stricter than that of the server")),
  timeoutMs: optional(integer("deadline", { min: 1, max: 86_400_000 })),
  wait: optional(
    boolean("false: answer 202 at once; events and GET /api/calls/{callId} have the result"),
    true,
  ),
});

export const StartedCall = object({ callId: string() });

export const Cancelled = object({ cancelled: boolean("false if it does not run here or has ended") });

import { ToolError } from "../../core/errors.ts";
import type {
  CallRecord,
  CallTrace,
  CallUsage,
  JournalQuery,
  ReceivedCall,
} from "../../core/store/journal.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Failure, Fault, ToolResult } from "../../core/result.ts";
import type { Effects } from "../../core/spec.ts";
import { asText, parseJson } from "../../util/json/parse-json.ts";
import { unknownName } from "../../util/text/near-hint.ts";

/** The row of a call in both journals: values are JSON text, so that they cannot change later. */
export interface CallRow extends Omit<CallRecord, "position" | "input" | "answer" | "trace"> {
  readonly input: string;
  /** Null until the tool is about to run. */
  readonly effects: Effects | null;
  readonly answer: string | null;
  /** `ok` or the code of the error; null until the call is answered. */
  readonly outcome: string | null;
}

export function toRow(call: ReceivedCall): CallRow {
  return {
    callId: call.callId,
    name: call.name,
    input: toInputText(call.input),
    session: call.session ?? null,
    folder: call.folder ?? null,
    subject: call.subject ?? null,
    machine: call.machine ?? null,
    usage: call.usage === undefined ? null : copyUsage(call.usage),
    receivedAt: call.receivedAt,
    startedAt: null,
    effects: null,
    state: "open",
    answer: null,
    outcome: null,
  };
}

/** Returns a copy that is JSON, whatever the program passed. */
function copyUsage(usage: { readonly [Field in keyof CallUsage]: unknown }): CallUsage {
  const { model, inputTokens, outputTokens, cost } = usage;
  const tokens = { inputTokens: Number(inputTokens), outputTokens: Number(outputTokens) };
  return { model: asText(model), ...tokens, ...(cost !== undefined && { cost: Number(cost) }) };
}

/** A row and its place in the order of the journal. */
export interface PlacedRow {
  readonly id: number;
  readonly row: CallRow;
}

/** Returns the record of a row. One that is damaged on the disk has its text as input and an error as answer: it must not hide the others. */
export function toRecord({ id: position, row }: PlacedRow): CallRecord {
  const { callId, name, session, state, receivedAt, startedAt } = row;
  const parsed = parseJson(row.input);
  const input = (parsed === undefined ? row.input : parsed) as JsonObject | string | null;
  const common = { position, callId, name, input, session, ...originOf(row), state, receivedAt, startedAt };
  return { ...common, ...toAnswer(row) };
}

type Origin = Pick<CallRecord, "folder" | "subject" | "machine" | "usage">;

/** Rows of earlier versions lack some of it. */
function originOf({ folder = null, subject = null, machine = null, usage = null }: Partial<Origin>): Origin {
  return { folder, subject, machine, usage };
}

function toAnswer(row: CallRow): Pick<CallRecord, "answer" | "trace"> {
  if (row.answer === null) return { answer: null, trace: null };
  const stored = parseJson(row.answer);
  const { trace, ...answer } = isObject(stored) ? stored : {};
  if (!isAnswer(answer)) return { answer: damagedAnswer(row), trace: null };
  return { answer, trace: isObject(trace) ? trace : null };
}

/** Returns false for JSON that lacks what every answer has: a damaged byte can change a name in it. */
function isAnswer(value: object): value is ToolResult {
  const { ok, content, error, meta } = value as { readonly [Field in keyof Failure]?: unknown };
  if (!Array.isArray(content) || !isObject(meta)) return false;
  return ok === true || (ok === false && isObject(error));
}

function damagedAnswer({ callId, name, receivedAt, startedAt }: CallRow): Failure {
  const message = `the stored answer of ${name} is damaged`;
  const hint = "toolwright store check says what else is";
  return {
    callId,
    name,
    ok: false,
    content: [{ type: "text", text: `Error: ${message}\n${hint}` }],
    error: { code: "UNAVAILABLE", message, hint },
    meta: {
      startedAt: startedAt ?? receivedAt,
      durationMs: 0,
      place: "host",
      attempts: 0,
      source: "journal",
    },
  };
}

/** Returns the JSON text of an answer, with the trace as one more field. Throws `INVALID_OUTPUT` if it is not JSON. */
export function toAnswerText(result: ToolResult, trace?: CallTrace): string {
  try {
    const text = JSON.stringify(result);
    return trace === undefined ? text : `${text.slice(0, -1)},"trace":${JSON.stringify(trace)}}`;
  } catch (cause) {
    throw new ToolError("INVALID_OUTPUT", `the answer to call ${result.callId} is not JSON`, { cause });
  }
}

const STATES = { open: true, pending: true, answered: true, interrupted: true } as const satisfies Record<
  CallRecord["state"],
  true
>;

/** Throws `INVALID_INPUT` for a state that no call can have. */
export function checkQuery({ state }: { readonly state?: unknown }): void {
  if (state === undefined) return;
  const text = asText(state);
  if (Object.hasOwn(STATES, text)) return;
  const known = Object.keys(STATES);
  throw unknownName(`unknown state ${JSON.stringify(state)}`, text, known, `use ${known.join(", ")}`);
}

export function isWanted({ id, row }: PlacedRow, query: JournalQuery): boolean {
  const { before = Number.POSITIVE_INFINITY, after = Number.NEGATIVE_INFINITY } = query;
  const { parent, outcome, text } = query;
  if (id >= before || id <= after) return false;
  if (parent !== undefined && !isMadeBy(row.callId, parent)) return false;
  if (outcome !== undefined && !hasOutcome(row.outcome, outcome)) return false;
  if (text !== undefined && !hasText(row, text)) return false;
  return EXACT.every((key) => query[key] === undefined || query[key] === row[key]);
}

const EXACT = ["callId", "receivedAt", "session", "folder", "subject", "state", "name"] as const;

/** A nested call has its parent's id, a dot and a number. */
function isMadeBy(callId: string, parent: string): boolean {
  return callId.startsWith(`${parent}.`) && !callId.slice(parent.length + 1).includes(".");
}

function hasOutcome(outcome: string | null, wanted: string): boolean {
  if (outcome === null || outcome === "ok") return outcome === wanted;
  return (
    outcome === wanted || wanted === "failed" || (wanted === "failed_not_denied" && outcome !== "DENIED")
  );
}

function hasText({ name, input, answer }: CallRow, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, input, answer ?? ""].some((one) => one.toLowerCase().includes(wanted));
}

/** Returns the outcome of an answer. */
export function outcomeOf(answer: Pick<ToolResult, "ok"> & { readonly error?: Pick<Fault, "code"> }): string {
  return answer.error?.code ?? "ok";
}

export function alreadyAnswered(row: CallRow): ToolError {
  return new ToolError("INVALID_OUTPUT", `call ${row.callId} already has an answer`);
}

export function journalClosed(): ToolError {
  return new ToolError("UNAVAILABLE", "the journal is closed");
}

/** Returns JSON text of an object, a string or null: the inputs that a model can send. */
function toInputText(input: unknown): string {
  const text = tryStringify(input);
  const isPlain = text.startsWith("{") || text.startsWith('"') || text === "null";
  return isPlain ? text : JSON.stringify(text);
}

function tryStringify(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "null";
  } catch (error) {
    // A host program can send what no model can, such as a circular value; the call is recorded anyway.
    return JSON.stringify(`[not JSON: ${error instanceof Error ? error.name : "unknown"}]`);
  }
}

import { ToolError } from "../../core/errors.ts";
import type { CallRecord, JournalQuery, ReceivedCall } from "../../core/store/journal.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Effects } from "../../core/spec.ts";

/** The row of a call in both journals: values are JSON text, so that they cannot change later. */
export interface CallRow {
  readonly callId: string;
  readonly name: string;
  readonly input: string;
  readonly session: string | null;
  readonly receivedAt: number;
  readonly startedAt: number | null;
  /** Null until the tool is about to run. */
  readonly effects: Effects | null;
  readonly state: CallRecord["state"];
  readonly answer: string | null;
}

export function toRow(call: ReceivedCall): CallRow {
  return {
    callId: call.callId,
    name: call.name,
    input: toInputText(call.input),
    session: call.session ?? null,
    receivedAt: call.receivedAt,
    startedAt: null,
    effects: null,
    state: "open",
    answer: null,
  };
}

export function toRecord(row: CallRow): CallRecord {
  const { callId, name, session, state, receivedAt } = row;
  const input = JSON.parse(row.input) as JsonObject | string | null;
  const answer = row.answer === null ? null : (JSON.parse(row.answer) as ToolResult);
  return { callId, name, input, session, state, receivedAt, answer };
}

/** Returns the JSON text of an answer. Throws `INVALID_OUTPUT` if it is not JSON. */
export function toAnswerText(result: ToolResult): string {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    throw new ToolError("INVALID_OUTPUT", `The answer to call ${result.callId} is not JSON.`, { cause });
  }
}

export function isWanted(row: CallRow, query: JournalQuery): boolean {
  if (query.callId !== undefined && query.callId !== row.callId) return false;
  if (query.session !== undefined && query.session !== row.session) return false;
  if (query.state !== undefined && query.state !== row.state) return false;
  return query.name === undefined || query.name === row.name;
}

export function alreadyAnswered(row: CallRow): ToolError {
  return new ToolError("INVALID_OUTPUT", `Call ${row.callId} already has an answer.`);
}

export function journalClosed(): ToolError {
  return new ToolError("UNAVAILABLE", "The journal is closed.");
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

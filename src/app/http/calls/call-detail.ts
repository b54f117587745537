import type { EngineEvent } from "../../../core/events.ts";
import type { Json } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { CallRecord, CallTrace, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { describeFacts } from "../../host/approvals/describe-fact.ts";
import { callsMadeBy } from "../../terminal/trace/show-call.ts";
import type { AnswerOf } from "../api/routes.ts";
import type { CallEvents, RunningCalls } from "./running-calls.ts";
import { toCallRow } from "./call-row.ts";
import { answeredEvent, phasesOf, recordedEvents } from "./phases.ts";
import { Refusal } from "../api/refusal.ts";

type Detail = AnswerOf<"call">;

/** How many other calls with the same id are listed. */
const OTHERS = 20;

/** What is known about calls: their records, and the events of those that run in this process. */
export interface CallViews {
  readonly journal: Journal;
  readonly running: RunningCalls;
  readonly callEvents: CallEvents;
}

/** Returns everything that is known about a call: its record, and its events if it ran in this process. With a subject only a call of that person is known. */
export async function callDetail(
  { journal, running, callEvents }: CallViews,
  wanted: Pick<JournalQuery, "receivedAt" | "subject"> & { readonly callId: string },
): Promise<Detail> {
  const { callId, receivedAt, subject } = wanted;
  const records = await journal.list({ callId, ...defined({ subject }), limit: OTHERS + 1 });
  const [record] = receivedAt === undefined ? records : await journal.list({ ...wanted, limit: 1 });
  if (record === undefined && running.isOpen(callId, subject))
    throw new Refusal("NOT_FOUND", `${callId} waits until other calls have ended`, "ask again later");
  if (record === undefined)
    throw new Refusal(
      "NOT_FOUND",
      `no recorded call has the id ${JSON.stringify(callId)}`,
      "GET /api/calls lists them",
    );
  // Events have the session and the id: they are those of the newest call.
  const newest = records.find(({ session }) => session === record.session);
  const isNewest = record.receivedAt === newest?.receivedAt;
  const events = isNewest ? callEvents.of(record) : [];
  const children = await callsMadeBy(record, journal, defined({ subject }));
  return {
    call: toCallRow(record, isNewest && running.has(callId)),
    input: record.input,
    stages: record.trace?.stages ?? [],
    phases: phasesOf(record),
    ranOn: record.trace?.ranOn ?? null,
    ...decisionOf(record.trace ?? {}, events),
    ...runOf(record.answer, events),
    calls: children.map((one) => toCallRow(one, running.has(one.callId))),
    others: records.filter((one) => one.receivedAt !== record.receivedAt).map((one) => toCallRow(one)),
    events: eventsOf(record, events),
  };
}

/** Returns the events that were received here, with the answer that the record has; without any, what the record knows. */
function eventsOf(record: CallRecord, events: readonly EngineEvent[]): Detail["events"] {
  if (events.length === 0) return recordedEvents(record);
  const received = events as unknown as Detail["events"];
  return record.answer === null ? received : [...received, answeredEvent(record, record.answer)];
}

/** The record has it once the call is answered; until then, the events do. */
function decisionOf({ input, risk, facts, verdict, approval }: CallTrace, events: readonly EngineEvent[]) {
  return {
    coerced: input ?? null,
    risk: risk ?? null,
    facts: facts ?? [],
    touches: describeFacts(facts ?? []),
    verdict: verdict ?? lastOf(events, "call.judged")?.verdict ?? null,
    approval: approval ?? openApproval(events),
  };
}

function runOf(answer: ToolResult | null, events: readonly EngineEvent[]) {
  const progress = events.flatMap((one) => (one.type === "call.progressed" ? [one.progress as Json] : []));
  if (answer === null) {
    const attempts = lastOf(events, "call.started")?.attempt ?? 0;
    return { place: null, attempts, progress, result: null, artifactId: null };
  }
  const { place, attempts, truncated } = answer.meta;
  return { place, attempts, progress, result: answer, artifactId: truncated?.artifactId ?? null };
}

/** Returns the approval of a call that still waits for it. */
function openApproval(events: readonly EngineEvent[]): Detail["approval"] {
  const question = lastOf(events, "approval.asked");
  const answered = lastOf(events, "approval.answered");
  if (question === undefined) return null;
  return { askedAt: question.at, answeredAt: answered?.at ?? null, approved: answered?.approved ?? null };
}

function lastOf<T extends EngineEvent["type"]>(
  events: readonly EngineEvent[],
  type: T,
): Extract<EngineEvent, { readonly type: T }> | undefined {
  return events.findLast((event): event is Extract<EngineEvent, { readonly type: T }> => event.type === type);
}

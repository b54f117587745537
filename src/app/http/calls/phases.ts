import type { CallRecord } from "../../../core/store/journal.ts";
import type { RecordedEvent } from "../api/call-shapes.ts";

/** A part of the life of a call. Times are in milliseconds since 1970. */
export interface Phase {
  readonly name: "judged" | "waited" | "queued" | "ran" | "formatted";
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of the life of an answered call, in order: judged, waited for a person or for other calls, ran, formatted. */
export function phasesOf(record: CallRecord): readonly Phase[] {
  const { receivedAt, answer } = record;
  if (answer === null) return [];
  const end = receivedAt + Math.max(0, answer.meta.durationMs);
  const runs = beganAt(record, end);
  const { asked, queued, executed } = marksOf(record, runs);
  const judged = {
    name: "judged",
    from: receivedAt,
    to: asked?.askedAt ?? queued?.from ?? runs ?? end,
  } as const;
  const phases: readonly (Phase | undefined)[] = [
    judged,
    asked && { name: "waited", from: asked.askedAt, to: asked.answeredAt },
    queued && { name: "queued", from: queued.from, to: queued.to },
    runs === undefined ? undefined : { name: "ran", from: runs, to: Math.min(executed?.to ?? end, end) },
    executed && { name: "formatted", from: executed.to, to: end },
  ];
  return phases.filter(
    (one) => one !== undefined && (one.to > one.from || (one.name === "ran" && one.to === one.from)),
  ) as Phase[];
}

/** A call that is retried has stages several times: it is queued until its first attempt, and runs until the end of the last. */
function marksOf({ receivedAt, trace }: CallRecord, runs: number | undefined) {
  const stages = (trace?.stages ?? []).map(({ stage, from, to }) => ({
    stage,
    from: receivedAt + from,
    to: receivedAt + to,
  }));
  return {
    asked: trace?.approval,
    queued: stages.find(({ stage, from }) => stage === "take slot" && (runs === undefined || from <= runs)),
    executed: stages.findLast(({ stage }) => stage === "execute"),
  };
}

/** Returns when the tool began to run. A copy in another store was started later than the call: then only the whole is known. */
function beganAt({ receivedAt, startedAt, trace }: CallRecord, end: number): number | undefined {
  if (startedAt === null) return undefined;
  return startedAt > end ? (trace?.approval?.answeredAt ?? receivedAt) : startedAt;
}

/** Returns the events of a call as its record has them: for a call of a process whose events were not received. */
export function recordedEvents(record: CallRecord): readonly RecordedEvent[] {
  const { receivedAt, startedAt, answer, trace, callId, name } = record;
  const common = { callId, name };
  const events: RecordedEvent[] = [{ ...common, type: "call.received", at: receivedAt }];
  for (const { stage, from, to } of trace?.stages ?? [])
    events.push({ type: "stage", stage, at: receivedAt + from, tookMs: to - from });
  const { verdict, approval, ranOn } = trace ?? {};
  if (verdict !== undefined) {
    const judge = trace?.stages?.find(({ stage }) => stage === "judge");
    events.push({ ...common, type: "call.judged", at: receivedAt + (judge?.to ?? 0), verdict });
  }
  if (approval !== undefined) {
    const { askedAt, answeredAt, ...decision } = approval;
    events.push({ ...common, type: "approval.asked", at: askedAt });
    events.push({ ...common, type: "approval.answered", at: answeredAt, ...decision });
  }
  if (startedAt !== null)
    events.push({
      ...common,
      type: "call.started",
      at: startedAt,
      attempt: 1,
      ...(ranOn !== undefined && { ranOn }),
    });
  if (answer !== null) {
    const { meta } = answer;
    if (meta.attempts > 1)
      events.push({ ...common, type: "call.retried", at: startedAt ?? receivedAt, attempt: meta.attempts });
    events.push(answeredEvent(record, answer));
  }
  return events.toSorted((left, right) => left.at - right.at);
}

/** Returns the last event of a call, without its answer: that is beside it. */
export function answeredEvent(
  { receivedAt, callId, name }: CallRecord,
  { ok, meta, ...rest }: NonNullable<CallRecord["answer"]>,
): RecordedEvent {
  const outcome = "error" in rest ? rest.error.code : "ok";
  return { type: "call.answered", at: receivedAt + meta.durationMs, callId, name, ok, outcome };
}

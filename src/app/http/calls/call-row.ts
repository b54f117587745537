import type { CallRecord } from "../../../core/store/journal.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { commandFailure } from "../../terminal/print/command-failure.ts";
import { summarizeInput } from "../../terminal/trace/call-lines.ts";
import type { CallRow } from "../api/call-shapes.ts";

/** Returns one line of the list of calls. */
export function toCallRow(record: CallRecord, isHere = false): CallRow {
  const { callId, name, session, folder, state, receivedAt, startedAt, input, answer } = record;
  const fault = answer === null || answer.ok ? undefined : answer.error;
  return {
    callId,
    name,
    session,
    folder,
    parentId: parentOf(callId),
    state,
    receivedAt,
    startedAt: startedAt ?? answer?.meta.startedAt ?? null,
    durationMs: answer?.meta.durationMs ?? null,
    outcome: answer === null ? null : (fault?.code ?? "ok"),
    summary: summarizeInput(input),
    message: messageOf(answer),
    place: answer?.meta.place ?? null,
    ...originOf(record),
    isHere,
  };
}

function originOf({ answer, trace, subject, machine, usage }: CallRecord) {
  const { worker = null, machine: ranOn = machine } = trace?.ranOn ?? {};
  return { source: answer?.meta.source ?? null, subject, worker, machine: ranOn, usage };
}

function messageOf(answer: CallRecord["answer"]): string | null {
  if (answer === null) return null;
  const text = answer.ok ? commandFailure(answer) : answer.error.message.split("\n", 1)[0];
  return text === undefined ? null : shortened(text, 300);
}

/** Returns the id of the call that made this one: a nested call has its parent's id, a dot and a number. */
function parentOf(callId: string): string | null {
  return /^(.+)\.\d+$/.exec(callId)?.[1] ?? null;
}

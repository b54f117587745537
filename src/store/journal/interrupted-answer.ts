import type { Failure } from "../../core/result.ts";
import type { Effects } from "../../core/spec.ts";
import { outcomeOf, type CallRow } from "./call-row.ts";

/** Returns the row of a call whose process ended first, with an answer: whether it ran, and whether it may have had effects. */
export function interruptedRow<Row extends CallRow>(row: Row, now: number): Row {
  const answer = interruptedAnswer(row, now);
  return { ...row, state: "interrupted", answer: JSON.stringify(answer), outcome: outcomeOf(answer) };
}

type InterruptedCall = Pick<CallRow, "callId" | "name" | "receivedAt" | "startedAt" | "effects">;

/** Returns the answer to a call whose process ended first. */
export function interruptedAnswer(call: InterruptedCall, now: number): Failure {
  const started = call.effects !== null;
  const mayHaveHadEffects = started && call.effects !== "none";
  const message = `${call.name} was interrupted: ${whatHappened(started, mayHaveHadEffects)}`;
  const hint = call.effects === null ? HINT_NOT_STARTED : HINTS[call.effects];
  const startedAt = call.startedAt ?? call.receivedAt;
  return {
    callId: call.callId,
    name: call.name,
    ok: false,
    content: [{ type: "text", text: `Error: ${message}\n${hint}` }],
    error: { code: "INTERRUPTED", message, hint, details: { started, mayHaveHadEffects } },
    meta: {
      startedAt,
      durationMs: Math.max(0, now - startedAt),
      place: "host",
      attempts: started ? 1 : 0,
      source: "journal",
    },
  };
}

const HINT_NOT_STARTED = "call it again if it is still wanted";
const HINTS: Readonly<Record<Effects, string>> = {
  none: "it is safe to call it again",
  idempotent: "it is safe to call it again with the same input",
  "own-state": "look at what is stored before calling it again",
  unsafe: "check what it changed before calling it again",
};

function whatHappened(started: boolean, mayHaveHadEffects: boolean): string {
  if (!started) return "the process ended before the tool started, so it had no effects";
  if (!mayHaveHadEffects)
    return "the process ended before the tool's answer was stored; the tool has no effects";
  return "the process ended before the tool's answer was stored, so it may have had effects";
}

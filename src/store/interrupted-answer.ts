import type { Failure } from "../core/result.ts";
import type { Effects } from "../core/spec.ts";
import type { CallRow } from "./call-row.ts";

/** The answer to a call whose process ended first: says whether it ran and whether it may have changed anything. */
export function interruptedAnswer(row: CallRow, now: number): Failure {
  const started = row.effects !== null;
  const mayHaveHadEffects = started && row.effects !== "none";
  const message = `${row.name} was interrupted: ${whatHappened(started, mayHaveHadEffects)}`;
  const hint = row.effects === null ? HINT_NOT_STARTED : HINTS[row.effects];
  const startedAt = row.startedAt ?? row.receivedAt;
  return {
    callId: row.callId,
    name: row.name,
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

const HINT_NOT_STARTED = "Call it again if it is still wanted.";
const HINTS: Readonly<Record<Effects, string>> = {
  none: "It is safe to call it again.",
  idempotent: "It is safe to call it again with the same input.",
  "own-state": "Look at what is kept before calling it again.",
  unsafe: "Check what it changed before calling it again.",
};

function whatHappened(started: boolean, mayHaveHadEffects: boolean): string {
  if (!started) return "the process ended before the tool started, so it had no effects.";
  if (!mayHaveHadEffects)
    return "the process ended before the tool's answer was kept; the tool has no effects.";
  return "the process ended before the tool's answer was kept, so it may have had effects.";
}

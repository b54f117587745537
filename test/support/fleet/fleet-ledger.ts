import assert from "node:assert/strict";
import { readLedger } from "./fleet-processes.ts";

/** How one call was answered: `ok`, or a code and a message. */
export interface AnsweredCall {
  readonly id: string;
  readonly effects: string;
  readonly outcome: string;
}

/**
 * Checks answers against the ledger of the tools: a call that succeeded has ended in it, an unsafe call began at most once, an unsafe call that
 * is INTERRUPTED has begun, and a safe call has no other answer than its result.
 */
export function checkLedger(ledger: string, answered: readonly AnsweredCall[]): void {
  const begun = new Map<string, number>();
  const ended = new Set<string>();
  for (const [, step, id = ""] of readLedger(ledger)) {
    if (step === "begin") begun.set(id, (begun.get(id) ?? 0) + 1);
    else ended.add(id);
  }
  assert.equal(new Set(answered.map(({ id }) => id)).size, answered.length, "one answer for each call");
  for (const { id, effects, outcome } of answered) {
    if (outcome === "ok") assert.ok(ended.has(id), `${id} succeeded and is in the ledger`);
    if (effects === "unsafe") {
      assert.ok((begun.get(id) ?? 0) <= 1, `the unsafe call ${id} began at most once`);
      assert.match(outcome, /^(ok|INTERRUPTED .*may have had effects)/, id);
    } else assert.equal(outcome, "ok", id);
  }
}

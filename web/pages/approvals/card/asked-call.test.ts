import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../../ui/values/call-bits.tsx";
import { answerOf, callOf } from "./asked-call.ts";

const pending = { askedAt: 105, request: { callId: "1", session: "a" } };
const row = (session: string | null, receivedAt: number): Call =>
  ({ callId: "1", session, receivedAt }) as Call;

test("the call of an approval is the newest of its session that was received before it was asked", () => {
  const calls = [row("b", 104), row("a", 200), row("a", 50), row("a", 100), row(null, 104)];
  assert.deepEqual(callOf(pending, calls), row("a", 100));
  assert.deepEqual(callOf({ askedAt: 105, request: { callId: "1" } }, calls), row(null, 104));
  assert.equal(callOf(pending, [row("b", 100), row("a", 106)]), undefined);
});

test("only the answer to this approval is named, not one that its call had before or after", () => {
  const given = { askedAt: 104, answeredAt: 110, approved: false, by: "the terminal" };
  assert.deepEqual(answerOf(pending, given), { approved: false, by: "the terminal" });
  for (const other of [
    null,
    { ...given, askedAt: 120, answeredAt: 130 },
    { ...given, askedAt: 80, answeredAt: 90 },
    { askedAt: 104, answeredAt: null, approved: null },
  ])
    assert.equal(answerOf(pending, other), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiEvent } from "../../src/app/http/api.ts";
import { changedBy } from "./changes.ts";
import { keyOf } from "./operations.ts";

test("an event of a call makes what is known of that call old, under the key that it is cached under", () => {
  const event = { type: "call.retried", at: 1, callId: "a" } as ApiEvent;
  assert.deepEqual(changedBy(event), [keyOf("call", { callId: "a" })]);
});

test("a call of another process makes the lists old, and itself", () => {
  const event = { type: "call.changed", at: 1, call: { callId: "b" } } as ApiEvent;
  assert.deepEqual(changedBy(event), [
    ["calls"],
    ["state"],
    ["counts"],
    ["waterfall"],
    keyOf("call", { callId: "b" }),
  ]);
});

test("an event without a call makes only answers of operations old", () => {
  assert.deepEqual(changedBy({ type: "fleet.changed", at: 1 }), [["fleet"]]);
  assert.deepEqual(changedBy({ type: "stream.opened", at: 1, isComplete: true }), []);
});

for (const type of ["call.received", "call.answered", "call.changed", "agent.state", "turn.ended"])
  test(`${type} makes the waterfall of a session old`, () => {
    const event = { type, at: 1, callId: "a", call: { callId: "a" } } as unknown as ApiEvent;
    assert.ok(changedBy(event).some(([name]) => name === "waterfall"));
  });

test("an event that this version does not know makes nothing old", () => {
  assert.deepEqual(changedBy({ type: "new.event", at: 1 } as unknown as ApiEvent), []);
});

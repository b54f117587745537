import assert from "node:assert/strict";
import { test } from "node:test";
import { originOf } from "../../../core/events.ts";
import { describeTaskEvent } from "./describe-task-event.ts";

test("a budget that is nearly spent is printed with its unit", () => {
  const lines = (
    [
      { kind: "turns", used: 8, limit: 10 },
      { kind: "time", used: 1600, limit: 2000 },
      { kind: "money", used: 1.23456, limit: 1.5 },
    ] as const
  ).map((level) => describeTaskEvent({ type: "budget.warned", session: "s", agentId: "a", ...level }));
  assert.deepEqual(lines, [
    "! 8 of 10 turns are spent",
    "! 1.6 of 2.0 s are spent",
    "! $1.23 of $1.50 are spent",
  ]);
});

test("the agent that makes a call is named if it is not the only one", () => {
  const event = { ...originOf("s"), type: "call.received", callId: "1", name: "ls", input: {} } as const;
  assert.equal(describeTaskEvent(event), "→ ls");
  assert.equal(describeTaskEvent(event, "kid"), "→ kid: ls");
});

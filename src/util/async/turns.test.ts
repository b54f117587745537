import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

test("work on the same name is done in order, on others at once, and a failure ends a turn too", async () => {
  const turns = createTurns();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns(["a", "b"], async () => {
    events.push("first begins");
    await gate.promise;
    throw new Error("first failed");
  });
  const second = turns(["b", "c"], async () => void events.push("second"));
  const third = turns(["c", "a"], async () => void events.push("third"));
  await turns(["d"], async () => void events.push("other"));
  assert.deepEqual(events, ["first begins", "other"]);
  gate.resolve();
  await assert.rejects(first, /first failed/);
  await Promise.all([second, third]);
  assert.deepEqual(events, ["first begins", "other", "second", "third"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createSerializer } from "./serialize.ts";

test("work on the same name runs in order, on others at once, and a failure does not stop later work", async () => {
  const serialize = createSerializer();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = serialize(async () => {
    events.push("first begins");
    await gate.promise;
    throw new Error("first failed");
  }, ["a", "b"]);
  const second = serialize(async () => void events.push("second"), ["b", "c"]);
  const third = serialize(async () => void events.push("third"), ["c", "a"]);
  await serialize(async () => void events.push("other"), ["d"]);
  assert.deepEqual(events, ["first begins", "other"]);
  gate.resolve();
  await assert.rejects(first, /first failed/);
  await Promise.all([second, third]);
  assert.deepEqual(events, ["first begins", "other", "second", "third"]);
});

test("work without names runs one at a time, in call order", async () => {
  const serialize = createSerializer();
  const events: string[] = [];
  const failed = serialize(async () => {
    events.push("first");
    throw new Error("first failed");
  });
  const second = serialize(async () => void events.push("second"));
  await assert.rejects(failed, /first failed/);
  await second;
  assert.deepEqual(events, ["first", "second"]);
});

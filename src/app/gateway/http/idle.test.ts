import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdle } from "./idle.ts";

test("past the limit the one unused for longest ends, never one that is held", async (t) => {
  const ended: string[] = [];
  const idle = createIdle<string>({ idleMs: 60_000, max: 2, end: async (one) => void ended.push(one) });
  t.after(() => idle.close());
  idle.add("a", "A");
  idle.add("b", "B");
  const release = idle.hold("a");
  idle.add("c", "C");
  assert.deepEqual(ended, ["B"]);
  assert.equal(idle.get("b"), undefined);
  release();
  release();
  idle.get("a");
  idle.add("d", "D");
  assert.deepEqual(ended, ["B", "C"]);
});

test("what is busy does not end, and has been used until it is busy no more", async (t) => {
  const ended: string[] = [];
  const busy = new Set(["A"]);
  const idle = createIdle<string>({
    idleMs: 60_000,
    max: 2,
    isBusy: (one) => busy.has(one),
    end: async (one) => void ended.push(one),
  });
  t.after(() => idle.close());
  for (const key of ["a", "b", "c"]) idle.add(key, key.toUpperCase());
  busy.clear();
  idle.add("d", "D");
  assert.deepEqual(ended, ["B", "C"]);
});

test("what is not used for a while ends", async (t) => {
  const ended = Promise.withResolvers<string>();
  const idle = createIdle<string>({ idleMs: 10, max: 2, end: async (one) => ended.resolve(one) });
  t.after(() => idle.close());
  idle.add("a", "A");
  // The timer of the tidying keeps no process alive, so that the test has to.
  const alive = setInterval(() => undefined, 1000);
  assert.equal(await ended.promise, "A");
  clearInterval(alive);
});

test("closing ends them all, also where one fails at it", async () => {
  const ended: string[] = [];
  const idle = createIdle<string>({
    idleMs: 60_000,
    max: 9,
    end(one) {
      ended.push(one);
      return Promise.reject(new Error("no"));
    },
  });
  idle.add("a", "A");
  idle.add("b", "B");
  await idle.close();
  assert.deepEqual(ended.sort(), ["A", "B"]);
});

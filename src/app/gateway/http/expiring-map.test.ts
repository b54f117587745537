import assert from "node:assert/strict";
import { test } from "node:test";
import { createExpiringMap } from "./expiring-map.ts";

test("above the limit the value unused for longest ends, never one that is held", async (t) => {
  const ended: string[] = [];
  const map = createExpiringMap<string>({ idleMs: 60_000, max: 2, end: async (one) => void ended.push(one) });
  t.after(() => map.close());
  map.add("a", "A");
  map.add("b", "B");
  const release = map.hold("a");
  map.add("c", "C");
  assert.deepEqual(ended, ["B"]);
  assert.equal(map.get("b"), undefined);
  release();
  release();
  map.get("a");
  map.add("d", "D");
  assert.deepEqual(ended, ["B", "C"]);
});

test("a busy value does not end, and counts as used until it is no longer busy", async (t) => {
  const ended: string[] = [];
  const busy = new Set(["A"]);
  const map = createExpiringMap<string>({
    idleMs: 60_000,
    max: 2,
    isBusy: (one) => busy.has(one),
    end: async (one) => void ended.push(one),
  });
  t.after(() => map.close());
  for (const key of ["a", "b", "c"]) map.add(key, key.toUpperCase());
  busy.clear();
  map.add("d", "D");
  assert.deepEqual(ended, ["B", "C"]);
});

test("a value that is unused for the idle time ends", async (t) => {
  const ended = Promise.withResolvers<string>();
  const map = createExpiringMap<string>({ idleMs: 10, max: 2, end: async (one) => ended.resolve(one) });
  t.after(() => map.close());
  map.add("a", "A");
  // The map's timer does not keep the process alive, so the test has to.
  const alive = setInterval(() => undefined, 1000);
  assert.equal(await ended.promise, "A");
  clearInterval(alive);
});

test("closing ends every value, even if one fails to end", async () => {
  const ended: string[] = [];
  const map = createExpiringMap<string>({
    idleMs: 60_000,
    max: 9,
    end(one) {
      ended.push(one);
      return Promise.reject(new Error("no"));
    },
  });
  map.add("a", "A");
  map.add("b", "B");
  await map.close();
  assert.deepEqual(ended.sort(), ["A", "B"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createExpiringMap } from "./expiring-map.ts";

/** Creates a value that records its end. */
function valueOf(name: string, ended: string[], isBusy = (): boolean => false) {
  return { isBusy, close: async () => void ended.push(name) };
}

test("above the limit the value unused for longest ends, never one that is held", async (t) => {
  const ended: string[] = [];
  const map = createExpiringMap(60_000, 2);
  t.after(() => map.close());
  map.add("a", valueOf("A", ended));
  map.add("b", valueOf("B", ended));
  const release = map.hold("a");
  map.add("c", valueOf("C", ended));
  assert.deepEqual(ended, ["B"]);
  assert.equal(map.get("b"), undefined);
  release();
  release();
  map.get("a");
  map.add("d", valueOf("D", ended));
  assert.deepEqual(ended, ["B", "C"]);
});

test("a busy value does not end, and counts as used until it is no longer busy", async (t) => {
  const ended: string[] = [];
  const busy = new Set(["A"]);
  const map = createExpiringMap(60_000, 2);
  t.after(() => map.close());
  for (const name of ["A", "B", "C"])
    map.add(
      name,
      valueOf(name, ended, () => busy.has(name)),
    );
  busy.clear();
  map.add("D", valueOf("D", ended));
  assert.deepEqual(ended, ["B", "C"]);
});

test("a value that is unused for the idle time ends", async (t) => {
  const ended = Promise.withResolvers<string>();
  const map = createExpiringMap(10, 2);
  t.after(() => map.close());
  map.add("a", { isBusy: () => false, close: async () => ended.resolve("A") });
  // The map's timer does not keep the process alive, so the test has to.
  const alive = setInterval(() => undefined, 1000);
  assert.equal(await ended.promise, "A");
  clearInterval(alive);
});

test("closing ends every value, even if one fails to end", async () => {
  const ended: string[] = [];
  const map = createExpiringMap(60_000, 9);
  for (const name of ["A", "B"])
    map.add(name, {
      isBusy: () => false,
      close() {
        ended.push(name);
        return Promise.reject(new Error("no"));
      },
    });
  await map.close();
  assert.deepEqual(ended.sort(), ["A", "B"]);
});

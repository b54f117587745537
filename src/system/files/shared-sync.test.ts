import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedSync } from "./shared-sync.ts";

/** A sync that is ended by the test. */
function controlled(): { readonly sync: () => Promise<void>; readonly begun: PromiseWithResolvers<void>[] } {
  const begun: PromiseWithResolvers<void>[] = [];
  const sync = (): Promise<void> => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  };
  return { sync, begun };
}

test("callers during a sync wait for the next one, which they share", async () => {
  const shared = createSharedSync();
  const { sync, begun } = controlled();
  const first = shared("/a", sync);
  let isAnswered = false;
  const later = [1, 2, 3].map(() => shared("/a", sync).then(() => (isAnswered = true)));
  assert.equal(begun.length, 1);
  begun[0]?.resolve();
  await first;
  await Promise.resolve();
  assert.equal(begun.length, 2);
  assert.equal(isAnswered, false, "the first began before they asked");
  begun[1]?.resolve();
  await Promise.all(later);
  assert.equal(begun.length, 2);
});

test("folders do not wait for each other", async () => {
  const shared = createSharedSync();
  const { sync, begun } = controlled();
  const both = [shared("/a", sync), shared("/b", sync)];
  assert.equal(begun.length, 2);
  for (const one of begun) one.resolve();
  await Promise.all(both);
});

test("a failed sync rejects its own callers, and the next one runs", async () => {
  const shared = createSharedSync();
  const { sync, begun } = controlled();
  const first = shared("/a", sync);
  const second = shared("/a", sync);
  begun[0]?.reject(new Error("EIO"));
  await assert.rejects(first, /EIO/);
  await Promise.resolve();
  begun[1]?.resolve();
  await second;
  const third = shared("/a", sync);
  begun[2]?.resolve();
  await third;
});

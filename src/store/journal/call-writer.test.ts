import assert from "node:assert/strict";
import test from "node:test";
import { call } from "../../app/host/testing/contracts/journal-calls.ts";
import { createCallWriter, createGroupCommit } from "./call-writer.ts";
import { toRow } from "./call-row.ts";
import { createPendingCall } from "./pending-call.ts";

test("items added in one turn are committed together, in order, one group at a time", async () => {
  const groups: string[] = [];
  let running = 0;
  const group = createGroupCommit<string>(async (items) => {
    running += 1;
    assert.equal(running, 1);
    groups.push(items.join(""));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  });
  group.add("a");
  group.hurry();
  queueMicrotask(() => group.add("b"));
  setImmediate(() => group.add("x"));
  await group.drained();
  assert.deepEqual(groups, ["ab"]);
  await group.drained();
  assert.deepEqual(groups, ["ab", "x"]);
  group.add("d");
  await group.drained();
  assert.deepEqual(groups, ["ab", "x", "d"]);
});

test("with nothing added drained resolves at once", async () => {
  await createGroupCommit(() => assert.fail("nothing to commit")).drained();
});

test("items wait until a caller hurries, or until the maximum wait", async () => {
  const groups: string[] = [];
  const committed = Promise.withResolvers<void>();
  const group = createGroupCommit<string>(
    async (items) => {
      groups.push(items.join(""));
      committed.resolve();
    },
    { maxWaitMs: 5 },
  );
  group.add("a");
  await new Promise((resolve) => setImmediate(resolve));
  group.add("b");
  assert.deepEqual(groups, []);
  await committed.promise;
  assert.deepEqual(groups, ["ab"]);
  group.add("c");
  group.add("d");
  group.hurry();
  await group.drained();
  assert.deepEqual(groups, ["ab", "cd"]);
});

test("items added during a commit wait as long as any other, unless a caller hurries", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const groups: string[] = [];
  const group = createGroupCommit<string>(async (items) => {
    groups.push(items.join(""));
    if (groups.length === 1) group.add("b");
    await new Promise((resolve) => setImmediate(resolve));
  });
  group.add("a");
  await group.drained();
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(groups, ["a"]);
  await group.drained();
  assert.deepEqual(groups, ["a", "b"]);
});

test("drained does not wait for items that are hurried later", { timeout: 10_000 }, async () => {
  let isDone = false;
  const group = createGroupCommit<string>(async () => {
    if (isDone) return;
    group.add("and one more");
    group.hurry();
  });
  group.add("a");
  await group.drained();
  isDone = true;
});

test("as many items as a transaction has are committed at once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const groups: string[] = [];
  const group = createGroupCommit<string>(async (items) => void groups.push(items.join("")), { hurryAt: 2 });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  group.add("a");
  await turn();
  assert.deepEqual(groups, []);
  group.add("b");
  await turn();
  assert.deepEqual(groups, ["ab"]);
});

for (const [text, rows] of [
  ["x", [128, 72]],
  ["x".repeat(100_000), Array.from({ length: 100 }, () => 2)],
  ["x".repeat(300_000), Array.from({ length: 200 }, () => 1)],
] as const)
  test(`200 calls with inputs of ${text.length} characters are at most ${rows[0]} in a transaction`, async () => {
    const transactions: number[] = [];
    const writer = createCallWriter(undefined, async (changes) => {
      transactions.push(changes.length);
      return changes.map((_, index) => index);
    });
    for (let number = 1; number <= 200; number += 1)
      writer.add(createPendingCall(number, toRow({ ...call(`${number}`), input: { text } }), undefined));
    await writer.drained();
    assert.deepEqual(transactions, rows);
  });

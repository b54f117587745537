import assert from "node:assert/strict";
import test from "node:test";
import { createGroupCommit } from "./call-writer.ts";

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

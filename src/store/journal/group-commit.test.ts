import assert from "node:assert/strict";
import test from "node:test";
import { createGroupCommit } from "./group-commit.ts";

test("what is added in one turn is committed together, in order, one group at a time", async () => {
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

test("with nothing added there is nothing to wait for", async () => {
  await createGroupCommit(() => assert.fail("nothing to commit")).drained();
});

test("what nobody waits for lies until somebody does, or until it has lain for long enough", async () => {
  const groups: string[] = [];
  const committed = Promise.withResolvers<void>();
  const group = createGroupCommit<string>(async (items) => {
    groups.push(items.join(""));
    committed.resolve();
  }, 5);
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

test("what comes while a group is committed lies as long as any other, unless somebody waits for it", async (t) => {
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

test("who waits does not wait for what is hurried later", { timeout: 10_000 }, async () => {
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

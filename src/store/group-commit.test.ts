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
  queueMicrotask(() => group.add("b"));
  setImmediate(() => group.add("x"));
  await group.drained();
  assert.deepEqual(groups, ["ab", "x"]);
  group.add("d");
  await group.drained();
  assert.deepEqual(groups, ["ab", "x", "d"]);
});

test("with nothing added there is nothing to wait for", async () => {
  await createGroupCommit(() => assert.fail("nothing to commit")).drained();
});

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createEngine } from "../../src/engine/engine.ts";
import { arrange, EDIT_CASES } from "../support/generators/edit-cases.ts";
import { failingOperations, systemError } from "../support/faults/failing-operations.ts";
import { contentsOf } from "../support/files/folder-contents.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualTime } from "../support/virtual-time.ts";
import { createFileOperations } from "../../src/system/files/operations.ts";

for (const one of EDIT_CASES) {
  test(`${one.name}: cancelled at any step, the answer says whether the change was made`, async (context) => {
    const root = join(temporaryFolder(context), "w");
    const outcomes = new Set<string>();
    for (let step = 1; ; step += 1) {
      rmSync(root, { recursive: true, force: true });
      arrange(root, one);
      const controller = new AbortController();
      const { operations, done } = failingOperations(
        (number) => {
          if (number === step) controller.abort();
          return false;
        },
        () => systemError("EIO"),
        `${root}.changes`,
      );
      const tool = one.tool({ root, operations });
      const engine = createEngine({ mode: "yolo", workspace: [root], tools: [tool] });
      const call = { id: String(step), name: tool.name, input: one.input };
      const answer = await engine.run(call, { signal: controller.signal });
      await engine.close();
      const found = contentsOf(root);
      if (done.length < step) {
        assert(answer.ok);
        break;
      }
      const isMade = isDeepStrictEqual(found, one.after);
      const at = `step ${step}, ${done[step - 1]}`;
      if (!isMade) assert.deepEqual(found, one.before, at);
      assert(!answer.ok, at);
      assert.equal(answer.error.code, "CANCELLED", at);
      assert.match(answer.error.hint ?? "", isMade ? /the change was made/ : /nothing was changed/, at);
      const changed = (answer.error.details?.["changed"] ?? []) as readonly string[];
      assert.equal(changed.length > 0, isMade, at);
      outcomes.add(String(isMade));
    }
    assert.deepEqual([...outcomes], ["false", "true"]);
  });
}

test("a change that a slow disk has not ended in time is answered with an error that says so, and is in the file", async (context) => {
  const one = EDIT_CASES.find(({ name }) => name === "edit_file") ?? assert.fail();
  const root = join(temporaryFolder(context), "w");
  arrange(root, one);
  const [syncing, synced] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const operations = createFileOperations(`${root}.changes`);
  const syncFolder: typeof operations.syncFolder = async () => {
    syncing.resolve();
    await synced.promise;
  };
  const tool = one.tool({ root, operations: { ...operations, syncFolder } });
  const time = createVirtualTime(context);
  const engine = createEngine({ mode: "yolo", workspace: [root], tools: [tool] });
  const running = engine.run({ id: "1", name: tool.name, input: one.input }, { timeoutMs: 1000 });
  await syncing.promise;
  await time.pass(1000 + (tool.limits?.graceMs ?? 0));
  const answer = await running;
  assert(!answer.ok);
  assert.equal(answer.error.code, "TOOL_TIMEOUT");
  assert.equal(answer.error.details?.["mayHaveHadEffects"], true);
  assert.match(answer.error.hint ?? "", /check what it did/);
  assert.deepEqual(contentsOf(root), one.after);
  synced.resolve();
  await engine.close();
});

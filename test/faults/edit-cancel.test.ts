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

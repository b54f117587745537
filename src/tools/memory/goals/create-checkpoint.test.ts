import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openMemoryTools } from "../../../../test/support/agents/memory-tools.ts";
import { runTool } from "../../../../test/support/engines/tool-context.ts";
import { createCheckpoints } from "../../../system/saved/checkpoints.ts";
import { createCheckpoint } from "./create-checkpoint.ts";

test("the files are saved, with the goal, the session and the tests, and the answer says how to restore them", async (t) => {
  const { root, data, text } = openMemoryTools(t);
  writeFileSync(join(root, "a.ts"), "one\n");
  const { goal_id } = await data("create_goal", { description: "ship it" });
  const given = {
    description: "works",
    files_modified: ["a.ts", join(root, "a.ts"), "none"],
    tests_added: ["t1"],
  };
  const { checkpoint_id, files, bytes, absent } = await data("create_checkpoint", given);
  assert.deepEqual([files, bytes, absent], [["a.ts", "none"], 4, ["none"]]);
  const [kept] = await createCheckpoints({ folder: join(root, ".kept/checkpoints") }).list();
  assert.deepEqual(
    [kept?.id, kept?.root, kept?.description, kept?.testsAdded, kept?.session, kept?.goalId],
    [checkpoint_id, root, "works", ["t1"], "s", goal_id],
  );
  assert.match(
    await text("create_checkpoint", given),
    /^Checkpoint \w{8}: saved 1 file \(4 bytes\); "toolwright restore \w{8}" restores them\n\[not found: none\]$/,
  );
});

test("a checkpoint without files is a mark", async (t) => {
  const { root, data } = openMemoryTools(t);
  await data("create_checkpoint", { description: "half way" });
  assert.equal(readdirSync(join(root, ".kept/checkpoints")).length, 1);
});

test("a file outside the workspace is denied by policy, a folder is rejected by the tool, and nothing is stored", async (t) => {
  const { root, fault } = openMemoryTools(t);
  mkdirSync(join(root, "folder"));
  const refused = await fault("create_checkpoint", { description: "x", files_modified: ["/etc/passwd"] });
  assert.equal(refused.code, "DENIED");
  const folder = await fault("create_checkpoint", { description: "x", files_modified: ["folder"] });
  assert.match(folder.message, /is a folder/);
  assert.ok(!readdirSync(root).includes(".kept"));
});

test("without a folder for them there are no checkpoints", async () => {
  await assert.rejects(runTool(createCheckpoint({ root: "/" }), { description: "x" }), {
    code: "MISSING_CONTEXT",
  });
});

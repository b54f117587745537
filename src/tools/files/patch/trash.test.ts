import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { applyTo } from "../../../../test/support/files/patch-workspace.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { dataOf, textOf } from "../../../../test/support/engines/tool-context.ts";
import type { Tool } from "../../../core/tool.ts";
import { createFileOperations, type FileOperations } from "../../../system/files/operations.ts";
import { createTrash, type Trash } from "../../../system/saved/trash.ts";
import { applyPatch } from "./apply-patch.ts";

interface Place {
  readonly tool: Tool;
  readonly trash: Trash;
  readonly at: (name: string) => string;
}

function place(context: TestContext, operations?: Partial<FileOperations>): Place {
  const root = temporaryFolder(context);
  const trashFolder = join(temporaryFolder(context), "trash");
  const failing = operations && { operations: { ...createFileOperations(), ...operations } };
  const tool = applyPatch({ root, trashFolder, ...failing });
  return { tool, trash: createTrash({ folder: trashFolder }), at: (name) => join(root, name) };
}

const DELETES_TWO =
  "*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** Add File: c\n+c\n*** End Patch\n";

test("a file that a patch deletes can be restored from the trash, and the answer says how", async (context) => {
  const { tool, trash, at } = place(context);
  writeFileSync(at("a"), "one\n");
  writeFileSync(at("b"), Buffer.from([0, 255]));
  chmodSync(at("b"), 0o750);
  const reply = await applyTo(tool, DELETES_TWO);
  assert.deepEqual([existsSync(at("a")), existsSync(at("b")), existsSync(at("c"))], [false, false, true]);
  const told = dataOf(reply)["trash"] as readonly { readonly path: string; readonly trash_id: string }[];
  assert.deepEqual(
    told.map(({ path }) => path),
    ["a", "b"],
  );
  for (const { trash_id: id } of told) assert.ok(textOf(reply).includes(`toolwright trash restore ${id}`));
  for (const entry of await trash.list()) await trash.restore(entry);
  assert.equal(readFileSync(at("a"), "utf8"), "one\n");
  assert.deepEqual(readFileSync(at("b")), Buffer.from([0, 255]));
  assert.equal(statSync(at("b")).mode & 0o777, 0o750);
});

test("a patch that fails leaves its files where they are and nothing in the trash", async (context) => {
  const link = (): Promise<void> => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  const { tool, trash, at } = place(context, { link });
  writeFileSync(at("a"), "one\n");
  writeFileSync(at("b"), "two\n");
  await assert.rejects(applyTo(tool, DELETES_TWO), /nothing was changed/);
  assert.deepEqual([readFileSync(at("a"), "utf8"), readFileSync(at("b"), "utf8")], ["one\n", "two\n"]);
  assert.deepEqual(await trash.list(), []);
});

test("a deleted file stays in the trash even if the disk did not confirm the change", async (context) => {
  const syncFolder = (): Promise<void> =>
    Promise.reject(Object.assign(new Error("broken disk"), { code: "EIO" }));
  const { tool, trash, at } = place(context, { syncFolder });
  writeFileSync(at("a"), "one\n");
  await assert.rejects(
    applyTo(tool, "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"),
    /could not be synced/,
  );
  assert.equal(existsSync(at("a")), false);
  assert.deepEqual(
    (await trash.list()).map(({ path }) => path),
    [at("a")],
  );
});

test("a file that is moved or replaced by the patch is not in the trash", async (context) => {
  const { tool, trash, at } = place(context);
  writeFileSync(at("a"), "one\n");
  writeFileSync(at("b"), "two\n");
  await applyTo(
    tool,
    "*** Begin Patch\n*** Update File: a\n*** Move to: d\n@@\n-one\n+eins\n*** Update File: b\n@@\n-two\n+zwei\n*** End Patch\n",
  );
  assert.equal(readFileSync(at("d"), "utf8"), "eins\n");
  assert.deepEqual(await trash.list(), []);
});

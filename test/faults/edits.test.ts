import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ToolError } from "../../src/core/errors.ts";
import { arrange, EDIT_CASES, type EditCase } from "../support/generators/edit-cases.ts";
import {
  failingOperations,
  systemError,
  type FailingOperations,
} from "../support/faults/failing-operations.ts";
import { contentsOf } from "../support/files/folder-contents.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runTool } from "../support/engines/tool-context.ts";

interface Outcome {
  readonly failing: FailingOperations;
  readonly error: unknown;
}

async function run(one: EditCase, root: string, failsAt: (number: number) => boolean): Promise<Outcome> {
  for (const folder of [root, changesOf(root)]) rmSync(folder, { recursive: true, force: true });
  arrange(root, one);
  const fail = (name: string): Error => systemError(name === "write" ? "ENOSPC" : "EIO");
  const failing = failingOperations(failsAt, fail, changesOf(root));
  const tool = one.tool({ root, operations: failing.operations });
  const error: unknown = await runTool(tool, one.input).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failing, error };
}

/** Returns the folder in which unfinished changes are recorded. */
function changesOf(root: string): string {
  return `${root}.changes`;
}

/** Returns the records of unfinished changes. */
function recordsOf(root: string): readonly string[] {
  return readdirSync(changesOf(root)).filter((name) => /\.(?:json|commit)$/.test(name));
}

/** Returns the files that the error reports as changed. */
function changedBy(error: unknown, root: string): readonly string[] {
  assert(error instanceof ToolError, String(error));
  const changed = (error.details?.["changed"] ?? []) as readonly string[];
  return changed.map((path) => path.slice(root.length + 1)).sort();
}

/** Returns for every file whether it is new; asserts that it is either old or new. */
function newOnes({ before, after }: EditCase, root: string): readonly string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return paths.filter((path) => {
    const now = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
    assert([before[path], after[path]].includes(now), `${path} is neither old nor new: ${String(now)}`);
    return before[path] !== after[path] && now === after[path];
  });
}

for (const one of EDIT_CASES) {
  const wanted = [...new Set([...Object.keys(one.before), ...Object.keys(one.after)])]
    .filter((path) => one.before[path] !== one.after[path])
    .sort();

  test(`${one.name}: if any step fails, every file is old or every file is new`, async (context) => {
    const root = join(temporaryFolder(context), "w");
    for (let step = 1; ; step += 1) {
      const { failing, error } = await run(one, root, (number) => number === step);
      const at = `step ${step}, ${failing.done[step - 1]}`;
      const changed = newOnes(one, root);
      if (error === undefined) assert.deepEqual(changed, wanted, at);
      else assert.deepEqual(changed, changedBy(error, root), at);
      assert(changed.length === 0 || changed.length === wanted.length, at);
      // Only files that could not be removed may be left.
      if (failing.done[step - 1] !== "endChange") assert.deepEqual(recordsOf(root), [], at);
      if (failing.done[step - 1] !== "remove") {
        assert.deepEqual(contentsOf(root), changed.length > 0 ? one.after : one.before, at);
      }
      if (failing.done.length >= step) continue;
      assert.equal(error, undefined, "without a fault it works");
      assert(step > 8, "the steps were counted");
      return;
    }
  });

  test(`${one.name}: when every step after a certain one fails, the error says which files are new`, async (context) => {
    const root = join(temporaryFolder(context), "w");
    for (let step = 1; ; step += 1) {
      const { failing, error } = await run(one, root, (number) => number >= step);
      const changed = newOnes(one, root);
      if (error !== undefined) {
        assert.deepEqual(changed, changedBy(error, root), `step ${step}, ${failing.done[step - 1]}`);
        for (const kept of ((error as ToolError).details?.["backups"] ?? []) as readonly string[]) {
          assert(Object.values(one.before).includes(readFileSync(kept, "utf8")), kept);
        }
      }
      if (failing.done.length >= step) continue;
      assert.equal(error, undefined);
      return;
    }
  });
}

test("folders created for a failed write are removed", async (context) => {
  const root = join(temporaryFolder(context), "w");
  const [, intoNewFolders] = EDIT_CASES;
  assert(intoNewFolders !== undefined);
  const { failing: counted } = await run(intoNewFolders, root, () => false);
  const write = counted.done.indexOf("write") + 1;
  const { error } = await run(intoNewFolders, root, (number) => number === write);
  assert.match(String(error), /cannot write .*\/x\/y\/a: the disk is full; nothing was changed/);
  assert.equal(existsSync(join(root, "x")), false);
});

test("files keep their mode when a patch is rolled back", async (context) => {
  const root = join(temporaryFolder(context), "w");
  const patch = EDIT_CASES.find(({ name }) => name === "apply_patch");
  assert(patch !== undefined);
  const { failing: counted } = await run(patch, root, () => false);
  const last = counted.done.lastIndexOf("rename") + 1;
  const { error } = await run(patch, root, (number) => number === last);
  assert.match(String(error), /nothing was changed/);
  assert.deepEqual(contentsOf(root), patch.before);
  for (const path of Object.keys(patch.before)) {
    assert.equal(statSync(join(root, path)).mode & 0o777, 0o640, path);
  }
});

import assert from "node:assert/strict";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { contentsOf } from "../../../test/support/files/folder-contents.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { currentProcess, type ProcessIdentity } from "../process/identity.ts";
import { backupPath, stampOf, temporaryPath, writeCommit, writeRecord } from "./change-record.ts";
import { tryLockFiles } from "./file-locks.ts";
import { recoverChanges } from "./recover-changes.ts";

const ID = "0b54ce67-7e5b-4b7c-9c3e-6d6a5ad3f1c2";
const ENDED: ProcessIdentity = { ...currentProcess(), start: "another" };

/** The files of a process that was killed after it had replaced the first of two files. */
function halfDone(context: TestContext, owner = ENDED) {
  const root = temporaryFolder(context);
  const folder = join(root, "changes");
  const files = join(root, "w");
  mkdirSync(files);
  const paths = ["a", "b"].map((name) => join(files, name));
  const [a = "", b = ""] = paths;
  writeRecord(folder, { id: ID, owner, paths, made: [] });
  const commit = paths.map((path, index) => {
    writeFileSync(path, "old");
    const temporary = temporaryPath(ID, path, index);
    writeFileSync(temporary, "new!");
    return { old: statSync(path).ino, new: stampOf(statSync(temporary)) };
  });
  writeCommit(folder, ID, commit);
  linkSync(a, backupPath(ID, a, 0));
  renameSync(temporaryPath(ID, a, 0), a);
  const records = (): readonly string[] =>
    readdirSync(folder).filter((name) => /\.(?:json|commit)$/.test(name));
  return { folder, files, a, b, records };
}

test("a change of several files whose process has ended is undone, and nothing is left of it", (context) => {
  const { folder, files, records } = halfDone(context);
  assert.deepEqual(contentsOf(files)["a"], "new!");
  assert.deepEqual(recoverChanges(folder), []);
  assert.deepEqual(contentsOf(files), { a: "old", b: "old" });
  assert.deepEqual(records(), []);
});

test("a file that another program changed since is left as it is, and its earlier content is kept and named", (context) => {
  const { folder, files, a } = halfDone(context);
  writeFileSync(a, "changed by another program");
  const [problem = "", ...more] = recoverChanges(folder);
  const backup = backupPath(ID, a, 0);
  assert.equal(problem.includes(a) && problem.includes(backup), true, problem);
  assert.deepEqual(more, []);
  assert.equal(readFileSync(a, "utf8"), "changed by another program");
  assert.equal(readFileSync(backup, "utf8"), "old");
  assert.deepEqual(readdirSync(files).length, 3);
});

test("old files are kept and named if the mark of the commit is damaged", (context) => {
  const { folder, files, a, records } = halfDone(context);
  writeFileSync(join(folder, `${ID}.commit`), "");
  const backup = backupPath(ID, a, 0);
  const [problem = "", ...more] = recoverChanges(folder);
  assert.equal(problem.includes(a) && problem.includes(backup), true, problem);
  assert.deepEqual(more, []);
  assert.equal(readFileSync(backup, "utf8"), "old");
  assert.deepEqual([readdirSync(files).length, records()], [3, []]);
});

test("a change whose process is running, or that another process recovers, is left alone", (context) => {
  const running = halfDone(context, currentProcess());
  assert.deepEqual(recoverChanges(running.folder), []);
  assert.equal(running.records().length, 2);
  const locked = halfDone(context);
  const unlock = tryLockFiles(locked.folder, [locked.b]);
  assert.deepEqual(recoverChanges(locked.folder), []);
  assert.equal(locked.records().length, 2);
  unlock?.();
  recoverChanges(locked.folder);
  assert.deepEqual(locked.records(), []);
});

test("a record that was cut off is removed: its change had not begun", (context) => {
  const folder = join(temporaryFolder(context), "changes");
  mkdirSync(folder);
  const path = join(folder, `${ID}.json`);
  writeFileSync(path, '{"id":"0b5');
  assert.deepEqual(recoverChanges(folder), []);
  assert.equal(readdirSync(folder).length, 1, "it may still be being written");
  utimesSync(path, new Date(0), new Date(0));
  assert.deepEqual(recoverChanges(folder), []);
  assert.deepEqual(readdirSync(folder), []);
});

test("temporary files that could not be removed are removed after their process has ended in order", async (context) => {
  const root = realpathSync(temporaryFolder(context));
  const [folder, files] = [join(root, "changes"), join(root, "w")];
  mkdirSync(files);
  const url = (path: string): string => JSON.stringify(sourceUrl(path));
  const { stdout } = runScript(`
    const { createFileOperations } = await import(${url("src/system/files/operations.ts")});
    const { replaceFile, replaceFiles } = await import(${url("src/system/files/replace.ts")});
    const { resolveTarget } = await import(${url("src/system/paths/paths.ts")});
    const operations = {
      ...createFileOperations(${JSON.stringify(folder)}),
      remove: () => Promise.reject(Object.assign(new Error("refused"), { code: "EIO" })),
    };
    const factOf = (name) => resolveTarget(name, { cwd: ${JSON.stringify(files)}, access: "write" });
    const change = async (name) => ({ fact: await factOf(name), content: "new " + name });
    await replaceFile((await change("one")).fact, "new one", { operations });
    await replaceFiles([await change("two"), await change("three")], { operations });
    await replaceFiles([await change("two"), await change("three")], { operations });
    console.log("done");
  `);
  assert.equal(stdout, "done\n");
  const isTemporary = (name: string): boolean => name.startsWith(".toolwright-");
  assert.ok(readdirSync(files).some(isTemporary));
  assert.deepEqual(recoverChanges(folder), []);
  assert.deepEqual(contentsOf(files), { one: "new one", two: "new two", three: "new three" });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".folders")),
    [],
  );
});

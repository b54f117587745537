import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import { createFileOperations, type FileOperations } from "./operations.ts";
import { replaceFile, replaceFiles } from "./replace.ts";
import { resolveTarget } from "../paths/paths.ts";

const target = (cwd: string, path: string) => resolveTarget(path, { cwd, access: "write" });
const isRoot = process.getuid?.() === 0;

test("a new file is created with its missing folders", async (context) => {
  const cwd = temporaryFolder(context);
  await replaceFile(await target(cwd, "a/b/new"), "text");
  assert.equal(readFileSync(join(cwd, "a/b/new"), "utf8"), "text");
  assert.deepEqual(readdirSync(join(cwd, "a/b")), ["new"]);
  assert.equal(statSync(join(cwd, "a/b/new")).mode & 0o777, 0o666 & ~process.umask());
});

test("a change that cannot be recorded is made, but not on a full disk: a kill would leave its temporary file for good", async (context) => {
  const cwd = temporaryFolder(context);
  const failing = (code: string): FileOperations => ({
    ...createFileOperations(),
    beginChange: () => Promise.reject(Object.assign(new Error(code), { code })),
  });
  const path = await target(cwd, "full");
  await assert.rejects(
    replaceFile(path, "text", { operations: failing("ENOSPC") }),
    /disk is full; nothing was changed/,
  );
  assert.deepEqual(readdirSync(cwd), []);
  await replaceFile(await target(cwd, "unrecorded"), "text", { operations: failing("EROFS") });
  assert.deepEqual(readdirSync(cwd), ["unrecorded"]);
});

test("a replaced file keeps its mode and, if permitted, its owner", async (context) => {
  const cwd = temporaryFolder(context);
  const path = join(cwd, "script");
  writeFileSync(path, "old");
  if (isRoot) chownSync(path, 1234, 5678);
  chmodSync(path, 0o4751);
  await replaceFile(await target(cwd, "script"), "new");
  const { mode, uid, gid } = statSync(path);
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(mode & 0o7777, 0o4751);
  if (isRoot) assert.deepEqual([uid, gid], [1234, 5678]);
});

test(
  "a replaced file keeps its group in a folder that gives its own group to new files",
  { skip: !isRoot && "only root may give a folder to another group" },
  async (context) => {
    const cwd = temporaryFolder(context);
    const path = join(cwd, "script");
    writeFileSync(path, "old");
    const { gid } = statSync(path);
    chownSync(cwd, 0, gid + 1);
    chmodSync(cwd, 0o2755);
    await replaceFile(await target(cwd, "script"), "new");
    await replaceFile(await target(cwd, "another"), "new");
    assert.deepEqual([statSync(path).gid, statSync(join(cwd, "another")).gid], [gid, gid + 1]);
  },
);

test("a link is written through to its judged target and stays a link", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "real"), "old");
  symlinkSync("real", join(cwd, "link"));
  symlinkSync("not-yet", join(cwd, "dangling"));
  await replaceFile(await target(cwd, "link"), "new");
  await replaceFile(await target(cwd, "dangling"), "made");
  assert.equal(readFileSync(join(cwd, "real"), "utf8"), "new");
  assert.equal(readFileSync(join(cwd, "not-yet"), "utf8"), "made");
});

test("a file that was replaced or created after the check is not changed", async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, "dir"));
  mkdirSync(join(cwd, "evil"));
  writeFileSync(join(cwd, "dir/old"), "old");
  writeFileSync(join(cwd, "evil/old"), "evil");
  const [old, fresh, inside] = [
    await target(cwd, "dir/old"),
    await target(cwd, "dir/new"),
    await target(cwd, "dir/x"),
  ];
  writeFileSync(join(cwd, "dir/new"), "appeared");
  await assert.rejects(replaceFile(fresh, "mine"), /changed between check and use/);
  assert.equal(readFileSync(join(cwd, "dir/new"), "utf8"), "appeared");
  renameSync(join(cwd, "dir"), join(cwd, "moved"));
  symlinkSync("evil", join(cwd, "dir"));
  await assert.rejects(replaceFile(old, "mine"), ToolError);
  await assert.rejects(replaceFile(inside, "mine"), ToolError);
  assert.deepEqual(readdirSync(join(cwd, "evil")), ["old"]);
  assert.equal(readFileSync(join(cwd, "evil/old"), "utf8"), "evil");
});

test("a file that was changed since it was read is not replaced", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  const fact = await target(cwd, "a");
  const openedAs = statSync(join(cwd, "a"));
  writeFileSync(join(cwd, "a"), "theirs");
  await assert.rejects(replaceFile(fact, "mine", { openedAs }), /changed by another program/);
  assert.equal(readFileSync(join(cwd, "a"), "utf8"), "theirs");
  assert.deepEqual(readdirSync(cwd), ["a"]);
});

test("of two concurrent replacements of a file, one fails", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  const fact = await target(cwd, "a");
  const operations = createFileOperations();
  const outcomes = await Promise.allSettled([
    replaceFile(fact, "one", { operations }),
    replaceFile(fact, "two", { operations }),
  ]);
  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ["fulfilled", "rejected"]);
});

test("a hard link keeps the old content", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  linkSync(join(cwd, "a"), join(cwd, "b"));
  await replaceFile(await target(cwd, "a"), "new");
  assert.equal(readFileSync(join(cwd, "b"), "utf8"), "old");
});

test("an aborted signal leaves the old file", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  const signal = AbortSignal.abort(new ToolError("CANCELLED", "no"));
  await assert.rejects(replaceFile(await target(cwd, "a"), "new", { signal }), /no/);
  assert.equal(readFileSync(join(cwd, "a"), "utf8"), "old");
  assert.deepEqual(readdirSync(cwd), ["a"]);
});

function writeScript(cwd: string, path: string, content: string): string {
  return `
    const { replaceFile } = await import(${JSON.stringify(sourceUrl("src/system/files/replace.ts"))});
    const { resolveTarget } = await import(${JSON.stringify(sourceUrl("src/system/paths/paths.ts"))});
    const fact = await resolveTarget(${JSON.stringify(path)}, { cwd: ${JSON.stringify(cwd)}, access: "write" });
    await replaceFile(fact, ${content}).then(() => console.log("written"), (error) => console.log(error.code, error.message));
  `;
}

test("a process killed while writing leaves the old file", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  const script = writeScript(cwd, "a", `"x".repeat(400_000_000)`);
  const watcher = watch(cwd);
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  const ended = once(child, "exit");
  // The temporary file exists: the write has begun.
  await once(watcher, "change");
  child.kill("SIGKILL");
  const [, signal] = await ended;
  watcher.close();
  assert.equal(signal, "SIGKILL");
  assert.equal(readFileSync(join(cwd, "a"), "utf8"), "old");
});

test("a failing disk leaves the old file and no temporary one", (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old");
  const script = writeScript(cwd, "a", `"x".repeat(1_000_000)`);
  const limited = `trap '' XFSZ; ulimit -f 16; exec "$0" --input-type=module -e "$1"`;
  const stdout = execFileSync("bash", ["-c", limited, process.execPath, script], { encoding: "utf8" });
  assert.match(stdout, /^TOOL_FAILED cannot write .*: the file would be larger than allowed/);
  assert.equal(readFileSync(join(cwd, "a"), "utf8"), "old");
  assert.deepEqual(readdirSync(cwd), ["a"]);
});

test("an ordinary user cannot replace files or write to folders without permission", (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "old", { mode: 0o444 });
  mkdirSync(join(cwd, "closed"), { mode: 0o555 });
  const refused = runScriptAsNobody(writeScript(cwd, "a", `"new"`));
  assert.match(refused.stdout, /permission denied/, refused.stderr);
  assert.match(runScriptAsNobody(writeScript(cwd, "closed/a", `"new"`)).stdout, /permission denied/);
  assert.equal(readFileSync(join(cwd, "a"), "utf8"), "old");
  assert.deepEqual(readdirSync(join(cwd, "closed")), []);
  assert.deepEqual(readdirSync(cwd).sort(), ["a", "closed"]);
});

test("many files of one folder are changed at once with few descriptors", async (context) => {
  const cwd = temporaryFolder(context);
  const names = Array.from({ length: 300 }, (_, index) => `file-${index}`);
  const facts = await Promise.all(names.map((name) => target(cwd, name)));
  const before = readdirSync("/proc/self/fd").length;
  let most = 0;
  const real = createFileOperations();
  const operations: FileOperations = {
    ...real,
    link(from, to) {
      most = Math.max(most, readdirSync("/proc/self/fd").length);
      return real.link(from, to);
    },
  };
  await replaceFiles(
    facts.map((fact) => ({ fact, content: "new" })),
    { operations },
  );
  assert.deepEqual(readdirSync(cwd).sort(), names.toSorted());
  assert(most > 0 && most < before + 20, `${before} descriptors before, ${most} during`);
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CALL = ["call", "think", "thought=x"];
const isRoot = process.getuid?.() === 0;

/** A package of its own, with the files of this one. */
function createPackage(t: TestContext, { isCopied = false } = {}) {
  const root = temporaryFolder(t);
  cpSync("bin", join(root, "bin"), { recursive: true });
  cpSync("package.json", join(root, "package.json"));
  // Another user may not enter the folder of the repository.
  for (const name of ["dist", "templates"])
    if (isCopied) cpSync(name, join(root, name), { recursive: true });
    else symlinkSync(resolve(name), join(root, name));
  const home = temporaryFolder(t);
  for (const folder of [root, home]) chmodSync(folder, 0o755);
  const work = join(home, "work");
  mkdirSync(work);
  const start = (args: readonly string[], before: readonly string[] = []) => {
    const [file = "", ...rest] = [...before, process.execPath, join(root, "bin/toolwright.js"), ...args];
    const env = { HOME: home, PATH: process.env["PATH"] };
    return spawnSync(file, rest, { cwd: work, env, encoding: "utf8" });
  };
  const run = (args: readonly string[], before: readonly string[] = []): string => {
    const { status, stdout, stderr } = start(args, before);
    assert.equal(status, 0, stderr);
    assert.equal(stderr, "");
    return stdout;
  };
  const folder = join(root, "node_modules/.cache/toolwright/code");
  return { root, home, work, start, run, folder, file: join(folder, "call") };
}

/** Makes a file look as if it was written and compared long ago, and returns when it was made: a rewritten file is another one. */
function age(file: string): number {
  utimesSync(file, 1, 1);
  return statSync(file).birthtimeMs;
}

test("a command stores what it compiled for the next one, in a folder for this user alone; a second run writes nothing", (t) => {
  const { run, folder, file } = createPackage(t);
  assert.equal(run(CALL), "Noted.\n");
  assert.deepEqual(readdirSync(folder), ["call"], "and no temporary file");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const before = age(file);
  assert.equal(run(CALL), "Noted.\n");
  assert.equal(statSync(file).birthtimeMs, before);
  assert.notEqual(statSync(file).mtimeMs, 1000, "it was compared");
});

test("a command that compiled much more than its cache has writes it again", (t) => {
  const { run, work, file } = createPackage(t);
  run(CALL);
  const [before, { size }] = [age(file), statSync(file)];
  writeFileSync(join(work, "a.txt"), "text");
  run(["call", "read_file", "a.txt"]);
  assert.notEqual(statSync(file).birthtimeMs, before);
  assert.ok(statSync(file).size > size);
  const second = statSync(file).birthtimeMs;
  // Its scripts are not in the cache, so that the time of the last comparison does not count.
  run(["call", "search_tools", "query=files"]);
  assert.notEqual(statSync(file).birthtimeMs, second);
});

test("a call of shell, which loads the reader of commands, has a cache of its own", (t) => {
  const { run, folder, file } = createPackage(t);
  run(CALL);
  const before = statSync(file).birthtimeMs;
  run(["call", "shell", "pwd"]);
  assert.deepEqual(readdirSync(folder).sort(), ["call", "call-shell"]);
  assert.equal(statSync(file).birthtimeMs, before);
});

/** Ways in which a file is damaged, those first that a usual run tries. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  "half written": (file) => truncateSync(file, statSync(file).size / 2),
  "changed in one bit": (file) => flip(file, 0.4),
  empty: (file) => truncateSync(file, 0),
  "all zeros": (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  "changed in one bit of its copy": (file) => flip(file, 0.9),
  "of another Node": (file) => {
    const all = readFileSync(file, "latin1").replaceAll(`"key":"2 ${process.version}`, '"key":"2 v1.2.3');
    writeFileSync(file, all, "latin1");
  },
};

function flip(file: string, part: number): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * part);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

test("a cache that cannot be used is ignored and replaced", async (t) => {
  const { run, file } = createPackage(t);
  run(CALL);
  const { size } = statSync(file);
  for (const [what, damage] of Object.entries(DAMAGES).slice(0, isLong ? undefined : 2))
    await t.test(what, () => {
      damage(file);
      const before = age(file);
      assert.equal(run(CALL), "Noted.\n");
      assert.notEqual(statSync(file).birthtimeMs, before, "replaced");
      assert.ok(Math.abs(statSync(file).size - size) < size / 5);
    });
});

test("after an upgrade no code of the old version is used, even if names, times and lengths of the files are the same", (t) => {
  const { root, run, file } = createPackage(t);
  cpSync("dist", join(root, "copy"), { recursive: true });
  const loader = readFileSync(join(root, "bin/program.js"), "utf8");
  writeFileSync(join(root, "bin/program.js"), loader.replace('join(ROOT, "dist")', 'join(ROOT, "copy")'));
  const [main, hash] = ["main.js", "program/hash"].map((name) => join(root, "copy", name));
  const original = readFileSync(main ?? "", "utf8");
  const install = (version: string): void => {
    const changed = original.replace("\n//#end\n", `\nprocess.stdout.write("${version} ");$&`);
    for (const [path = "", text] of [
      [main, changed],
      [hash, version],
    ] as const) {
      writeFileSync(path, text);
      utimesSync(path, 1, 1);
    }
  };
  install("one");
  assert.equal(run(CALL), "one Noted.\n");
  const before = age(file);
  assert.equal(run(CALL), "one Noted.\n");
  install("two");
  assert.equal(run(CALL), "two Noted.\n");
  assert.notEqual(statSync(file).birthtimeMs, before);
});

test("a folder that another user could write is not used", (t) => {
  const { home, run, folder } = createPackage(t);
  run(CALL);
  const own = join(home, ".cache/toolwright/code");
  assert.equal(existsSync(own), false);
  chmodSync(folder, 0o770);
  writeFileSync(join(folder, "call"), "foreign");
  run(CALL);
  assert.equal(readFileSync(join(folder, "call"), "utf8"), "foreign");
  assert.match(readdirSync(own).join(" "), OWN_NAME);
});

/** In the user's folder the name has the version, whose packages share it. */
const OWN_NAME = /^call\.[\da-f]{8}$/;

test("packages of two versions do not replace each other's cache in the user's folder; what is unused for a month is removed", (t) => {
  const { root, home, run, folder } = createPackage(t, { isCopied: true });
  mkdirSync(folder, { recursive: true, mode: 0o770 });
  chmodSync(folder, 0o770);
  const own = join(home, ".cache/toolwright/code");
  run(CALL);
  const [first = ""] = readdirSync(own);
  writeFileSync(join(own, "call.00000000"), "");
  age(join(own, "call.00000000"));
  const before = statSync(join(own, first)).birthtimeMs;
  writeFileSync(join(root, "dist/program/hash"), "f".repeat(64));
  run(CALL);
  assert.deepEqual(readdirSync(own).sort(), [first, "call.ffffffff"].sort());
  assert.equal(statSync(join(own, first)).birthtimeMs, before);
});

/** Folders above the cache, with the permissions that let another user exchange it. */
const WRITABLE = [
  ["node_modules/.cache", 0o770],
  [".", 0o777],
  ["node_modules/.cache/toolwright", 0o777],
  ["node_modules", 0o707],
] as const;

test("a folder is not used if another user can write a folder above it; the sticky bit of /tmp is no such permission", (t) => {
  const { root, home, run, file } = createPackage(t);
  const own = join(home, ".cache/toolwright/code");
  run(CALL);
  const before = age(file);
  for (const [folder, mode] of isLong ? WRITABLE : WRITABLE.slice(0, 2)) {
    chmodSync(join(root, folder), mode);
    run(CALL);
    assert.equal(statSync(file).mtimeMs, 1000, `${folder}: not even compared`);
    chmodSync(join(root, folder), 0o755);
  }
  assert.match(readdirSync(own).join(" "), OWN_NAME);
  chmodSync(join(root, "node_modules"), 0o1777);
  run(CALL);
  assert.notEqual(statSync(file).mtimeMs, 1000);
  assert.equal(statSync(file).birthtimeMs, before);
});

test("without a folder that only this user can exchange nothing is stored", (t) => {
  const { root, home, run, folder } = createPackage(t);
  for (const one of [root, home]) chmodSync(one, 0o777);
  assert.equal(run(CALL), "Noted.\n");
  for (const one of [folder, join(home, ".cache/toolwright/code")]) assert.deepEqual(readdirSync(one), []);
});

test("a file in place of the folder, or a cache that cannot be read, is no failure", (t) => {
  const { root, home, run, folder } = createPackage(t);
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.cache"), "");
  writeFileSync(join(home, ".cache"), "");
  assert.equal(run(CALL), "Noted.\n");
  const other = createPackage(t);
  mkdirSync(join(other.folder, "call"), { recursive: true });
  chmodSync(other.folder, 0o700);
  assert.equal(other.run(CALL), "Noted.\n");
  assert.equal(existsSync(folder), false);
});

test("another user of a package that root installed has a cache of their own", { skip: !isRoot }, (t) => {
  const { home, run, folder, file } = createPackage(t, { isCopied: true });
  run(CALL);
  const before = age(file);
  spawnSync("chown", ["-R", "65534:65534", home]);
  const asOther = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  assert.equal(run(CALL, asOther), "Noted.\n");
  const own = join(home, ".cache/toolwright/code");
  assert.match(readdirSync(own).join(" "), OWN_NAME);
  assert.equal(statSync(own).uid, 65534);
  assert.equal(statSync(file).birthtimeMs, before, "the cache of root is as it was");
  // Root does not run what this user wrote.
  cpSync(own, folder, { recursive: true });
  chownSync(folder, 65534, 65534);
  const theirs = age(file);
  assert.equal(run(CALL), "Noted.\n");
  assert.equal(statSync(file).birthtimeMs, theirs);
  assert.equal(statSync(file).mtimeMs, 1000, "not even compared");
});

test("an extension gets the classes of the program itself", (t) => {
  const { home, start } = createPackage(t);
  mkdirSync(join(home, ".toolwright/extensions"), { recursive: true });
  writeFileSync(
    join(home, ".toolwright/extensions/own.js"),
    `import { ToolError, defineTool } from "toolwright";
     import { builtInTools } from "toolwright/tools";
     export default (api) => api.tool(defineTool({
       name: "fails", description: "fails", risk: "low", effects: "none",
       run: () => { throw new ToolError("MISSING_CREDENTIALS", typeof builtInTools); },
     }));`,
  );
  for (let round = 0; round < 2; round += 1) {
    const { status, stdout, stderr } = start(["call", "fails", "--json"]);
    assert.equal(status, 1);
    assert.equal(stderr, "toolwright: function\n");
    const { error } = JSON.parse(stdout) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    assert.deepEqual([error.code, error.message], ["MISSING_CREDENTIALS", "function"]);
  }
});

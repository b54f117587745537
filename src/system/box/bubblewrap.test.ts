import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutBoxes } from "../../../test/support/sandboxes/boxes.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { runProcess } from "../process/process.ts";
import { intoBox, probeBoxes } from "./box.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import type { Box } from "./types.ts";

const PATH = process.env["PATH"] ?? "";
const BOX: Box = { path: PATH, workspace: [], readable: [], hasNetwork: false };
const PROGRAM = {
  file: "true",
  args: ["--flag"],
  cwd: "/usr",
  environment: { A: "1", HOME: "/home/me", TMPDIR: "/x" },
};

/** Writes a program that takes the place of bubblewrap. */
function writeProgram(folder: string, script: string): void {
  writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Returns the index at which these arguments occur in sequence, or -1. */
function at(list: readonly string[], ...words: readonly string[]): number {
  return list.findIndex((_one, index) => words.every((word, offset) => list[index + offset] === word));
}

test("writable mounts cover readable ones, and protected mounts cover both", (t) => {
  const outer = temporaryFolder(t);
  const folder = join(outer, "workspace");
  const shielded = join(folder, ".toolwright");
  mkdirSync(join(folder, "books"), { recursive: true });
  mkdirSync(shielded);
  const list = bubblewrapArguments(PROGRAM, {
    ...BOX,
    workspace: [folder],
    readable: ["/usr/share", join(folder, "books"), outer],
  });
  const order = [
    at(list, "--tmpfs", "/tmp"),
    at(list, "--tmpfs", "/home/me"),
    at(list, "--ro-bind", outer, outer),
    at(list, "--bind", folder, folder),
    at(list, "--ro-bind", shielded, shielded),
  ];
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.ok(order.every((index) => index >= 0));
  for (const part of ["/usr/share", join(folder, "books")])
    assert.ok(!list.includes(part), "what is part of another mount needs none of its own");
  assert.deepEqual(list.slice(-2), ["--chdir", "/usr"]);
});

test("the network is shared only if requested", () => {
  assert.equal(at(bubblewrapArguments(PROGRAM, BOX), "--share-net"), -1);
  assert.ok(at(bubblewrapArguments(PROGRAM, { ...BOX, hasNetwork: true }), "--share-net") > 0);
});

test("a program outside the system folders is mounted without its folder", (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "program");
  writeFileSync(file, "", { mode: 0o755 });
  for (const named of [file, "program"]) {
    const list = bubblewrapArguments({ ...PROGRAM, file: named }, { ...BOX, path: `${folder}:${PATH}` });
    assert.ok(at(list, "--ro-bind", file, file) > 0);
    assert.ok(!list.includes(folder));
  }
});

test("secrets are passed in the environment, not on the command line", { skip: withoutBoxes }, async () => {
  const environment = { ...PROGRAM.environment, API_TOKEN: "s3cret-value" };
  const made = await intoBox({ ...PROGRAM, environment }, BOX);
  assert.ok(!made.args.join(" ").includes("s3cret-value"));
  assert.deepEqual(made.environment, { ...environment, TMPDIR: "/tmp" });
  assert.deepEqual(made.args.slice(-3), ["--", "true", "--flag"]);
});

test("LD_* libraries are not loaded outside the sandbox", { skip: withoutBoxes }, async () => {
  const environment = { PATH, HOME: "/home/me", LD_LIBRARY_PATH: "/made/up" };
  const program = { ...PROGRAM, file: "sh", args: ["-c", "echo $LD_LIBRARY_PATH $HOME"], environment };
  const { environment: env, ...boxed } = await intoBox(program, BOX);
  assert.deepEqual(env, { PATH, HOME: "/home/me", TMPDIR: "/tmp" });
  let said = "";
  await runProcess({ ...boxed, env, onOutput: ({ text }) => void (said += text) });
  assert.equal(said, "/made/up /home/me\n");
});

test("the whole disk is rejected as a workspace", { skip: withoutBoxes }, async () => {
  await assert.rejects(intoBox(PROGRAM, { ...BOX, workspace: ["/"] }), { code: "UNAVAILABLE" });
});

test("a bubblewrap that refuses sizes makes sandboxes without them", async (t) => {
  const folder = temporaryFolder(t);
  writeProgram(
    folder,
    'case "$*" in *--size*) echo "Unknown option --size" >&2; exit 1;; esac; echo checked',
  );
  assert.deepEqual(await probeBoxes(folder), {
    works: true,
    program: join(folder, "bwrap"),
    hasSizes: false,
    hasFilter: false,
  });
  const box = { ...BOX, path: folder, limits: { tmpBytes: 1_000_000, memoryBytes: 1e9, processes: 100 } };
  const { args } = await intoBox(PROGRAM, box);
  assert.ok(!args.includes("--size") && at(args, "--tmpfs", "/tmp") > 0);
});

test("a sandbox in which files of the kernel can be written does not work, whatever else does", async (t) => {
  const folder = temporaryFolder(t);
  writeProgram(folder, "echo open: /proc/sys/kernel/core_pattern; echo filter: 2; echo checked");
  const probe = await probeBoxes(folder);
  assert.match(probe.works ? "" : probe.reason, /does not hold here: .*core_pattern/);
  await assert.rejects(intoBox(PROGRAM, { ...BOX, path: folder }), { code: "UNAVAILABLE" });
});

test("a program that starts nothing creates no sandboxes", async (t) => {
  const folder = temporaryFolder(t);
  writeProgram(folder, "exit 0");
  assert.equal((await probeBoxes(folder)).works, false);
});

test("a workspace of files of the kernel or of devices is rejected", { skip: withoutBoxes }, async () => {
  for (const folder of ["/proc/sys", "/sys", "/sys/fs/cgroup", "/dev"])
    await assert.rejects(intoBox(PROGRAM, { ...BOX, workspace: [folder] }), { code: "UNAVAILABLE" });
  await intoBox(PROGRAM, { ...BOX, workspace: ["/dev/shm"] });
});

test("a probe reports why sandboxes do not work, within a time limit", async (t) => {
  const folder = temporaryFolder(t);
  assert.deepEqual((await probeBoxes(folder)).works, false);
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const file = join(programs, "bwrap");
  writeFileSync(file, "#!/bin/sh\necho no permission >&2\nexit 1\n", { mode: 0o755 });
  const probe = await probeBoxes(programs);
  assert.match(probe.works ? "" : probe.reason, /does not work here: no permission/);
});

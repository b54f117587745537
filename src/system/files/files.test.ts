import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { once } from "node:events";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { openTarget } from "./files.ts";
import { resolveTarget } from "../paths/paths.ts";

const open = (fact: PathFact) => openTarget(fact, constants.O_RDONLY);

test("the file that was resolved is opened", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "text");
  symlinkSync("a", join(cwd, "link"));
  const { handle, stats } = await open(await resolveTarget("link", { cwd, access: "read" }));
  assert.equal(await handle.readFile("utf8"), "text");
  assert.equal(stats.size, 4);
  await handle.close();
});

test("a file that was replaced between check and use is rejected", async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, "evil"));
  writeFileSync(join(cwd, "evil/a"), "evil");
  const swaps: Readonly<Record<string, () => void>> = {
    "by a link": () => symlinkSync("evil/a", join(cwd, "dir/a")),
    "by another file": () => writeFileSync(join(cwd, "dir/a"), "other"),
    "by a link in place of its folder": () => {
      renameSync(join(cwd, "dir"), join(cwd, "moved"));
      symlinkSync("evil", join(cwd, "dir"));
    },
  };
  mkdirSync(join(cwd, "dir"));
  for (const [name, swap] of Object.entries(swaps)) {
    writeFileSync(join(cwd, "dir/a"), "good");
    const fact = await resolveTarget("dir/a", { cwd, access: "read" });
    renameSync(join(cwd, "dir/a"), join(cwd, "kept"));
    swap();
    await assert.rejects(open(fact), /changed between check and use/, name);
    unlinkSync(join(cwd, "dir/a"));
  }
});

test("a file that was created after the check is rejected", async (context) => {
  const cwd = temporaryFolder(context);
  const fact = await resolveTarget("new", { cwd, access: "read" });
  writeFileSync(join(cwd, "new"), "x");
  await assert.rejects(open(fact), /changed between check and use/);
});

test("anything but a regular file is rejected by its type, without blocking", async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, "folder"));
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  const server = createServer().listen(join(cwd, "socket"));
  await once(server, "listening");
  context.after(() => server.close());
  const cases = {
    folder: "a folder",
    pipe: "a named pipe",
    socket: "a socket",
    "/dev/zero": "a device",
    "/dev/stdin": "",
    "/proc/self/environ": "a file of the kernel",
  };
  for (const [path, kind] of Object.entries(cases)) {
    const fact = await resolveTarget(path, { cwd, access: "read" });
    await assert.rejects(open(fact), (error) => {
      assert(error instanceof ToolError, path);
      assert.equal(error.code, "TOOL_FAILED");
      assert(error.message.includes(kind), error.message);
      return true;
    });
  }
});

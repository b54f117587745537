import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createPolicyCommands } from "./policy.ts";
import { resolveCommandPath } from "./resolve-command-path.ts";

for (const [text, expected] of [
  ["diff a b", true],
  ["diff -u a missing", true],
  ["diff a b | head", true],
  ["diff . sub", false],
  ["diff a sub", false],
  ["diff a link", false],
  ["cat a && diff -q sub sub", false],
] as const)
  test(`without a sandbox, ${text} is ${expected ? "" : "not "}proven to only read: diff reads the files in folders`, async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, "sub"));
    for (const name of ["a", "b"]) writeFileSync(join(cwd, name), "");
    symlinkSync("sub", join(cwd, "link"));
    const reading = await createPolicyCommands("/home/ada", () => false).read({ kind: "command", text, cwd });
    assert.equal(reading.isReadOnly, expected);
  });

test("a path of this process in a command is not looked up in this process", async () => {
  for (const text of ["/dev/fd/5", "/proc/self/cwd/a"]) {
    const { path } = await resolveCommandPath({ text, cwd: "/", access: "read" });
    assert.match(path, /^\/(?:proc\/self|dev\/fd)\//);
  }
});

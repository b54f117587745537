import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readEnvFile, trustedContent } from "./env-file.ts";

test("a file of variables is found by a relative path, by the workspace folder and by the home", (t) => {
  const [root, userHome] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(root, ".env"), "A=1");
  writeFileSync(join(userHome, "keys"), "B=2");
  const read = (envFile: string, isProject = false): unknown =>
    readEnvFile({ command: "x", envFile }, { root, userHome, isProject })?.content;
  for (const name of [".env", "./.env", "${workspaceFolder}/.env", join(root, ".env")])
    assert.equal(read(name, true), "A=1", name);
  for (const name of ["~/keys", "${userHome}/keys"]) assert.equal(read(name), "B=2", name);
});

test("a file of variables that is missing, outside of the project or not a file is a problem", (t) => {
  const [root, userHome] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(userHome, "keys"), "B=2");
  symlinkSync(join(userHome, "keys"), join(root, "link"));
  mkdirSync(join(root, "folder"));
  for (const [name, expected] of [
    ["none", /its envFile .*none does not exist/],
    ["link", /leads out of/],
    ["~/keys", /leads out of/],
    ["folder", /not a regular file/],
    ["${HOME}/.env", /may contain no variable but \$\{workspaceFolder\}/],
  ] as const) {
    const { content } = readEnvFile({ envFile: name }, { root, userHome, isProject: true }) ?? {};
    assert.match(typeof content === "object" ? content.problem : "", expected);
  }
});

test("trust covers the entry alone, or the entry and the content of its file", () => {
  const written = { command: "x", envFile: ".env" };
  assert.equal(trustedContent(written, undefined), written);
  assert.deepEqual(trustedContent(written, { path: "/.env", content: "A=1" }), {
    server: written,
    envFile: "A=1",
  });
  assert.deepEqual(trustedContent(written, { path: "/.env", content: { problem: "missing" } }), {
    server: written,
    envFile: null,
  });
});

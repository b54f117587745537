import assert from "node:assert/strict";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { createPlace } from "../flows/support/cli.ts";
import { connectProcess } from "../flows/support/mcp-client.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a gateway whose package was removed under it answers every call, and most of them work", async (t) => {
  const copy = temporaryFolder(t);
  for (const name of ["bin", "dist", "package.json"]) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  const place = createPlace(t);
  const launcher = join(copy, "bin", "toolwright.js");
  const { client } = await connectProcess(t, place, { launcher, args: ["--mode", "yolo"] });
  const call = async (name: string, input: object) => {
    const { isError, content } = await client.callTool({ name, arguments: { ...input } });
    return [isError === true, JSON.stringify(content)] as const;
  };
  await client.listTools();
  assert.equal((await call("ls", {}))[0], false);
  rmSync(join(copy, "dist"), { recursive: true });
  for (const [name, input, wanted] of [
    ["shell", { command: "false; echo $?; exit 3" }, false],
    ["shell", { command: "git status" }, false],
    ["shell", { wrong: 1 }, true],
    ["shell", { command: "sleep 60", timeout_seconds: 1 }, true],
    ["read_file", { path: "missing" }, true],
    ["write_file", { path: "a", content: "x" }, false],
    ["read_file", { path: "a" }, false],
  ] as const) {
    const [isError, text] = await call(name, input);
    assert.equal(isError, wanted, `${name} ${JSON.stringify(input)}: ${text}`);
  }
});

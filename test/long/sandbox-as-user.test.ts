import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { test } from "node:test";
import { AS_USER, USER, withoutUser } from "../support/sandboxes/ordinary-user.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("the sandbox protects as much if an ordinary user starts it", { skip: withoutUser() }, async (t) => {
  // Engines of containers store images there.
  const home = temporaryFolder(t);
  chownSync(home, USER, USER);
  const files = ["test/boundary/session-sandbox.test.ts", "test/long/sandbox-kinds.test.ts"];
  const [file, ...before] = AS_USER;
  const child = spawn(file, [...before, process.execPath, "--test", ...files], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: "/tmp" },
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => void (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => void (output += piece.toString()));
  const code = await new Promise((done) => child.once("close", done));
  assert.equal(code, 0, output.slice(-8000));
});

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A user without a name and without files. */
const USER = 54_321;
const AS_USER = ["--reuid", String(USER), "--regid", String(USER), "--clear-groups", "--inh-caps=-all"];

function whyNot(): string | false {
  if (process.getuid?.() !== 0) return "the tests run as an ordinary user already";
  const script = `require("node:fs").readFileSync(${JSON.stringify(resolve("node_modules/.bin/tsc"))})`;
  const { status } = spawnSync("setpriv", [...AS_USER, process.execPath, "-e", script]);
  if (status !== 0) return "an ordinary user cannot read this folder";
  return spawnSync("setpriv", [...AS_USER, "bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"])
    .status === 0
    ? false
    : "an ordinary user cannot create namespaces here";
}

test("the sandbox protects as much if an ordinary user starts it", { skip: whyNot() }, async (t) => {
  // Engines of containers store images there.
  const home = temporaryFolder(t);
  chownSync(home, USER, USER);
  const files = ["test/boundary/session-sandbox.test.ts", "test/long/sandbox-kinds.test.ts"];
  const child = spawn("setpriv", [...AS_USER, process.execPath, "--test", ...files], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: "/tmp" },
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => void (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => void (output += piece.toString()));
  const code = await new Promise((done) => child.once("close", done));
  assert.equal(code, 0, output.slice(-8000));
});

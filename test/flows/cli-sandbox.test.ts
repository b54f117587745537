import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import { withoutBoxes } from "../support/boxes.ts";
import { createPlace, runCli } from "./support/cli.ts";

test(
  "--sandbox runs commands in a sandbox that hides denied files, and trace says so",
  { skip: withoutBoxes },
  async (t) => {
    const place = createPlace(t);
    const rules = [{ path: "**/.env", decision: "deny" }];
    mkdirSync(join(place.folder, ".toolwright"));
    writeFileSync(join(place.folder, ".toolwright/policy.json"), JSON.stringify({ rules }));
    writeFileSync(join(place.folder, ".env"), "canary");
    // No rule about the text of a command sees what a script does.
    writeFileSync(join(place.folder, "script"), "touch made; cat .env; find . -type f -exec cat {} +");
    const args = ["call", "shell", "command=sh script", "--sandbox", "auto", "--yes", "--json"];
    const { code, stdout } = await runCli(place, args);
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /canary/);
    const { meta, callId } = JSON.parse(stdout) as ToolResult;
    assert.equal(meta.place, "sandbox");
    assert.ok(existsSync(join(place.folder, "made")));
    assert.match((await runCli(place, ["trace", callId])).stdout, /sandbox/);
  },
);

test("a sandbox that does not exist here is an error, and nothing runs", async (t) => {
  const place = createPlace(t);
  const kind = process.platform === "darwin" ? "bubblewrap" : "seatbelt";
  const { code, stderr } = await runCli(place, [
    "call",
    "shell",
    "command=touch made",
    "--sandbox",
    kind,
    "--yes",
  ]);
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(`the sandbox ${kind} is not available: .*\\n.*auto`));
  assert.equal(existsSync(join(place.folder, "made")), false);
});

test("an unknown sandbox is refused with the known ones", async (t) => {
  const { code, stderr } = await runCli(createPlace(t), [
    "call",
    "shell",
    "command=ls",
    "--sandbox",
    "chroot",
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /bubblewrap/);
});

test("a tool server without isolation runs commands as the host does", async (t) => {
  const place = createPlace(t);
  const args = ["call", "shell", "command=echo $((6 * 7))", "--sandbox", "process", "--yes"];
  assert.equal((await runCli(place, args)).stdout, "42\n");
});

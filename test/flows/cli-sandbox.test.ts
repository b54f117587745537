import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
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

test("tool says where a tool runs under the config", { skip: withoutBoxes }, async (t) => {
  const place = createPlace(t);
  const placeOf = async (...flags: readonly string[]): Promise<unknown> =>
    (JSON.parse((await runCli(place, ["tool", "shell", "--json", ...flags])).stdout) as { place: unknown })
      .place;
  assert.equal(await placeOf(), "host");
  assert.match((await runCli(place, ["tool", "shell"])).stdout, /^place +host$/m);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ sandbox: "auto" }));
  assert.equal(await placeOf(), "sandbox");
  const read = await runCli(place, ["tool", "read_file"]);
  assert.match(read.stdout, /^place +host$/m);
});

test(
  "in a copy of the workspace everything can be changed, shown, applied and discarded",
  { skip: withoutBoxes },
  async (t) => {
    const place = createPlace(t);
    place.write("text", "one\ntwo\n");
    const config = { sandbox: "bubblewrap", sandboxOptions: { workspace: "copy" } };
    writeFileSync(join(place.home, "config.json"), JSON.stringify(config));
    const call = (tool: string, input: object) =>
      runCli(place, ["call", tool, "--args", JSON.stringify(input), "--yes", "--json"]);
    assert.match((await runCli(place, ["sandbox", "diff"])).stderr, /there is no copy of this workspace/);
    assert.equal(
      (await call("shell", { command: "sed -i s/two/three/ text; mkdir new; echo x > new/file" })).code,
      0,
    );
    const read = JSON.parse((await call("read_file", { path: "new/file" })).stdout) as ToolResult;
    assert.deepEqual([read.ok, read.meta.place], [true, "sandbox"], "file tools see the copy");
    assert.equal((await call("delete_file", { path: "new/file" })).code, 0);
    assert.equal((await call("write_file", { path: "new/other", content: "y\n" })).code, 0);
    assert.equal(readFileSync(join(place.folder, "text"), "utf8"), "one\ntwo\n");
    assert.equal(existsSync(join(place.folder, "new")), false);
    const { stdout } = await runCli(place, ["sandbox", "diff"]);
    assert.match(stdout, /added: new [^]*added: new\/other [^]*\+y\n[^]*changed: text [^]*-two\n\+three\n/);
    const applied = await runCli(place, ["sandbox", "apply", "text"]);
    assert.deepEqual([applied.code, applied.stdout], [0, "applied 1 change\n"]);
    assert.equal(readFileSync(join(place.folder, "text"), "utf8"), "one\nthree\n");
    assert.equal(existsSync(join(place.folder, "new")), false);
    mkdirSync(join(place.folder, "new"), { mode: 0o700 });
    const rest = await runCli(place, ["sandbox", "apply"]);
    assert.deepEqual(
      [rest.code, rest.stdout],
      [1, "applied 1 change\nnot applied: new: it was created in the workspace, too\n"],
    );
    assert.equal(readFileSync(join(place.folder, "new/other"), "utf8"), "y\n");
    assert.match(
      (await runCli(place, ["sandbox", "apply", "nothing"])).stderr,
      /nothing was changed in nothing/,
    );
    assert.equal((await runCli(place, ["sandbox", "discard"])).code, 0);
    assert.match((await runCli(place, ["sandbox", "diff"])).stderr, /there is no copy/);
  },
);

test("a tool server without isolation runs commands as the host does", async (t) => {
  const place = createPlace(t);
  const args = ["call", "shell", "command=echo $((6 * 7))", "--sandbox", "process", "--yes"];
  assert.equal((await runCli(place, args)).stdout, "42\n");
});

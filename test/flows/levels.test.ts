import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { ApprovalRequest } from "../../src/core/approval.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { contentText } from "../../src/util/text/content-text.ts";
import { loadConfig } from "../../src/app/config/config.ts";
import { openHost } from "../../src/app/host/open-host.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { createPlace } from "./support/cli.ts";

const needsBoxes = { skip: withoutBoxes };

/** Opens a host with a person who answers every question the same way. */
async function open(
  t: TestContext,
  level: string,
  { approves = false, config = {} }: { readonly approves?: boolean; readonly config?: JsonObject } = {},
) {
  const { folder, home } = createPlace(t);
  writeFileSync(join(home, "config.json"), JSON.stringify({ level, ...config }));
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "a.js"), "console.log('ran', require('fs').existsSync('/etc/passwd') ? 1 : 2)");
  writeFileSync(join(folder, ".env"), "KEY=CANARY-77\n");
  const asked: ApprovalRequest[] = [];
  const variables = { HOME: home, TOOLWRIGHT_HOME: home, PATH: process.env["PATH"] };
  const host = await openHost({
    need: "call",
    flags: {},
    config: loadConfig({}, { cwd: folder, variables, userHome: home }),
    warn: () => undefined,
    asksQueue: false,
    approvers: [
      {
        async ask(request) {
          asked.push(request);
          return approves
            ? { approved: true, scope: "once" }
            : { approved: false, reason: "no", declined: true };
        },
      },
    ],
  });
  t.after(() => host.close());
  const run = async (command: string, more: JsonObject = {}) => {
    const result = await host.engine.run(
      { id: "1", name: "shell", input: { command, ...more } },
      { session: "s" },
    );
    return { ...result, text: contentText(result.content) };
  };
  return { folder, asked, run };
}

test("at level read-only a command that nothing proves runs without a question", needsBoxes, async (t) => {
  const { asked, run } = await open(t, "read-only");
  const { ok, text } = await run("node a.js");
  assert.ok(ok && /ran/.test(text), text);
  assert.deepEqual(asked, []);
});

test("what a sandbox stops is asked about once, and then runs outside", needsBoxes, async (t) => {
  const { folder, asked, run } = await open(t, "read-only", { approves: true });
  const command = `node -e 'require("fs").writeFileSync("made", "x"); console.log("wrote")'`;
  const { ok, text } = await run(command, { description: "write a file" });
  assert.ok(ok && /wrote/.test(text), text);
  assert.ok(existsSync(join(folder, "made")));
  assert.deepEqual(
    asked.map(({ tool, input }) => [tool, input["command"], input["outside_sandbox"]]),
    [["shell", command, true]],
  );
});

test("a command that a limit ended in the sandbox is told how to leave it", needsBoxes, async (t) => {
  const { run } = await open(t, "read-only", { approves: true });
  const result = await run("node -e 'setInterval(() => 0, 1000)'", { timeout_seconds: 1 });
  assert.ok(!result.ok);
  assert.equal(result.error.code, "TOOL_TIMEOUT");
  assert.match(result.error.hint ?? "", /sandbox without network.*outside_sandbox=true.*timeout_seconds/);
});

test(
  "a refusal leaves what the command printed in the sandbox, and nothing is changed",
  needsBoxes,
  async (t) => {
    const { folder, asked, run } = await open(t, "read-only");
    const { ok, text } = await run(
      `node -e 'console.log("first"); require("fs").writeFileSync("made", "x")'`,
    );
    assert.ok(ok, text);
    assert.match(text, /first[\s\S]*EROFS[\s\S]*it was not approved to run outside: The user declined/);
    assert.equal(existsSync(join(folder, "made")), false);
    assert.equal(asked.length, 1);
  },
);

test("a command that fails for another reason is not run again", needsBoxes, async (t) => {
  const { asked, run } = await open(t, "read-only", { approves: true });
  assert.match((await run("node -e 'process.exit(3)'")).text, /3/);
  assert.deepEqual(asked, []);
});

for (const command of [
  "touch made",
  "rm a.js",
  "npm install left-pad",
  "curl -s http://127.0.0.1:1",
  "echo x > made",
])
  test(`at level read-only ${command} is asked about at once`, needsBoxes, async (t) => {
    const { folder, asked, run } = await open(t, "read-only");
    assert.equal((await run(command)).ok, false);
    assert.equal(asked.length, 1);
    assert.notEqual(asked[0]?.input["outside_sandbox"], true);
    assert.ok(existsSync(join(folder, "a.js")));
  });

for (const [what, command] of [
  ["protected files", `node -e 'console.log(require("fs").readFileSync(".en" + "v", "utf8"))'`],
  ["the network", `node -e 'fetch("http://127.0.0.1:9").then(() => console.log("CANARY-77"))'`],
] as const)
  test(`a command that is tried reaches none of ${what}`, needsBoxes, async (t) => {
    const { run } = await open(t, "read-only");
    assert.doesNotMatch((await run(command)).text, /CANARY-77/);
  });

for (const [name, config, command] of [
  ["mode ask", { mode: "ask" }, "node a.js"],
  ["a part that certainly acts", {}, "node a.js; rm x"],
  ["a sandbox switched off", { shell: { readOnlyIsLow: true, sandbox: false } }, "node a.js"],
] as const)
  test(`nothing is tried with ${name}`, needsBoxes, async (t) => {
    const { asked, run } = await open(t, "read-only", { config });
    const { ok } = await run(command);
    assert.equal(ok, false);
    assert.equal(asked.length, 1);
  });

test("in mode plan nothing is tried, and nobody is asked", needsBoxes, async (t) => {
  const { asked, run } = await open(t, "read-only", { config: { mode: "plan" } });
  assert.equal((await run("node a.js")).ok, false);
  assert.deepEqual(asked, []);
});

test(
  "at level workspace a command changes the workspace without a question, and asks to leave it",
  needsBoxes,
  async (t) => {
    const { folder, asked, run } = await open(t, "workspace");
    assert.equal((await run("touch made")).ok, true);
    assert.ok(existsSync(join(folder, "made")));
    assert.deepEqual(asked, []);
    assert.equal((await run("touch other", { outside_sandbox: true })).ok, false);
    assert.equal(asked.length, 1);
  },
);

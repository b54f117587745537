import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ApprovalRequest } from "../../src/core/approval.ts";
import { createEngine } from "../../src/index.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { judgeShell } from "../support/engines/judge-shell.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const RULES = [
  {
    name: "user",
    mayAllow: true,
    rules: [
      { command: ["npm", "test"], decision: "allow" },
      { command: ["make"], decision: "allow" },
      { command: ["make", "-C", "sub"], decision: "allow" },
    ],
  },
] as const;

for (const [command, expected] of [
  ["npm test", "allow"],
  ["npm test -- --watch", "allow"],
  ["npm test --silent", "allow"],
  ["npm test --prefix evil", "ask"],
  ["npm test --prefix=evil", "ask"],
  ["npm test --pref evil", "ask"],
  ["npm test -C evil", "ask"],
  ["npm test -Cevil", "ask"],
  ["npm test -w evil", "ask"],
  ["npm test -ws", "ask"],
  ["npm test --workspace=evil", "ask"],
  ["npm test --workspaces", "ask"],
  ["npm --prefix evil test", "ask"],
  ["make all", "allow"],
  ["make -C evil", "ask"],
  ["make --directory=evil all", "ask"],
  ["make -C sub", "allow"],
  ["make -C sub all", "allow"],
  ["make -C sub -C evil", "ask"],
] as const) {
  test(`with npm test, make and make -C sub allowed, ${command} gets ${expected}`, async () => {
    const { kind, rule } = await judgeShell(command, RULES);
    assert.equal(kind, expected, rule);
  });
}

for (const scope of ["session", "always"] as const) {
  test(`a grant for ${scope} holds only in the folder it was given in`, async (t) => {
    const root = temporaryFolder(t);
    for (const name of ["a", "b"]) mkdirSync(join(root, name));
    const asked: ApprovalRequest[] = [];
    const engine = createEngine({
      tools: builtInTools({ root, environment: { PATH: process.env["PATH"] ?? "" } }),
      workspace: [root],
      approver: {
        ask: async (request) => {
          asked.push(request);
          return asked.length === 1 ? { approved: true, scope } : { approved: false, reason: "no" };
        },
      },
    });
    t.after(() => engine.close());
    const run = (command: string, cwd: string) =>
      engine.run({ id: "1", name: "shell", input: { command, cwd } }, { session: "s" });
    const isMade = (name: string): boolean => existsSync(join(root, name, "made"));
    await run("mkdir made", "a");
    assert.deepEqual([asked.length, isMade("a")], [1, true]);
    await run("mkdir made", "a");
    assert.equal(asked.length, 1, "the same call again needs no approval");
    await run("mkdir made", "b");
    await run("cd ../b && mkdir made", "a");
    assert.deepEqual([asked.length, isMade("b")], [3, false]);
  });
}

// Rules say what runs, what is asked about and what is refused; a yes that lasts is kept as the narrowest rule.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Approval, ApprovalRequest, Rule } from "toolwright";
import { createEngine } from "toolwright";
import { fileTools, runningTools } from "toolwright/tools";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-example-")));
writeFileSync(join(root, ".env"), "TOKEN=1\n");
writeFileSync(join(root, "notes"), "one\n");

const rules: readonly Rule[] = [
  { tool: "shell", command: ["touch", "build.log"], decision: "allow" },
  { tool: "shell", command: ["rm", "-rf"], decision: "deny", reason: "no recursive forced removal" },
  { path: "**/.env", decision: "deny", reason: "secrets" },
];

const asked: ApprovalRequest[] = [];
const engine = createEngine({
  workspace: [root],
  rules,
  tools: [
    ...fileTools({ root }),
    ...runningTools({ root, environment: { PATH: process.env["PATH"] ?? "" } }),
  ],
  approver: {
    async ask(request): Promise<Approval> {
      asked.push(request);
      return { approved: true, scope: "always" };
    },
  },
});

const shell = async (command: string): Promise<string> => {
  const result = await engine.run({ id: command, name: "shell", input: { command } });
  return result.ok ? "ran" : result.error.code;
};

assert.equal(await shell("touch build.log"), "ran", "a rule allows it");
assert.equal(await shell("cat notes"), "ran", "it is proven to read only, and so of low risk");
assert.equal(await shell("sudo rm -r --force notes"), "DENIED", "whatever wraps it, however it is spelled");
assert.equal(await shell("cat < .env"), "DENIED", "the path is denied to every tool");
assert.equal(asked.length, 0);

// What no rule covers is asked about; the yes is kept as the narrowest rule.
assert.equal(await shell("mkdir new"), "ran");
console.log(asked[0]?.grant);
assert.deepEqual(asked[0]?.grant, {
  tool: "shell",
  command: ["mkdir", "new"],
  exact: true,
  decision: "allow",
});
assert.equal(await shell("rmdir new"), "ran");
assert.equal(asked.length, 2);
assert.equal(await shell("mkdir new"), "ran");
assert.equal(asked.length, 2, "the same call is silent now");

// What runs on someone's behalf never gets more than they have.
const planned = await engine.run(
  { id: "child", name: "write_file", input: { path: "new/file", content: "" } },
  { ceilings: [{ mode: "plan" }] },
);
assert.ok(!planned.ok);
assert.equal(planned.error.code, "DENIED");
await engine.close();
rmSync(root, { recursive: true });

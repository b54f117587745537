// Rules decide which calls are allowed, need approval or are denied; "always" saves the narrowest rule.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Approval, type ApprovalRequest, type Rule } from "toolwright";
import { fileTools, runningTools } from "toolwright/tools";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-example-")));
writeFileSync(join(root, ".env"), "TOKEN=1\n");
writeFileSync(join(root, "notes"), "one\n");

const rules: readonly Rule[] = [
  { tool: "shell", command: ["touch", "build.log"], decision: "allow" },
  { tool: "shell", command: ["rm", "-rf"], decision: "deny", reason: "no recursive forced removal" },
  { path: "**/.env", decision: "deny", reason: "secrets" },
];

const requests: ApprovalRequest[] = [];
const engine = createEngine({
  workspace: [root],
  rules,
  tools: [
    ...fileTools({ root }),
    ...runningTools({ root, environment: { PATH: process.env["PATH"] ?? "" } }),
  ],
  approver: {
    async ask(request): Promise<Approval> {
      requests.push(request);
      return { approved: true, scope: "always" };
    },
  },
});

const shell = async (command: string): Promise<string> => {
  const result = await engine.run({ id: command, name: "shell", input: { command } });
  return result.ok ? "ran" : result.error.code;
};

assert.equal(await shell("touch build.log"), "ran", "a rule allows it");
assert.equal(await shell("cat notes"), "ran", "it is proven read-only, so it is low risk");
assert.equal(await shell("sudo rm -r --force notes"), "DENIED", "in any wrapper and spelling");
assert.equal(await shell("cat < .env"), "DENIED", "the path is denied for every tool");
assert.equal(requests.length, 0);

// A call that no rule covers needs approval; the approval is saved as the narrowest rule.
assert.equal(await shell("mkdir new"), "ran");
console.log(requests[0]?.grant);
assert.deepEqual(requests[0]?.grant, {
  tool: "shell",
  command: ["mkdir", "new"],
  exact: true,
  decision: "allow",
});
assert.equal(await shell("rmdir new"), "ran");
assert.equal(requests.length, 2);
assert.equal(await shell("mkdir new"), "ran");
assert.equal(requests.length, 2, "the same call needs no approval now");

// A nested call never gets more rights than its parent.
const planned = await engine.run(
  { id: "child", name: "write_file", input: { path: "new/file", content: "" } },
  { ceilings: [{ mode: "plan" }] },
);
assert.ok(!planned.ok);
assert.equal(planned.error.code, "DENIED");
await engine.close();
rmSync(root, { recursive: true });

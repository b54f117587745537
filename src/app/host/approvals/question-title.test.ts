import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { questionTitle } from "./question-title.ts";

const BASE: ApprovalRequest = {
  callId: "1",
  tool: "x",
  risk: "high",
  input: {},
  facts: [],
  reason: "",
  hash: "",
};
const command = (text: string) => ({ kind: "command", text, cwd: "/w" }) as const;
const write = { kind: "path", path: "/w/src/sum.ts", access: "write", inode: 1 } as const;
const DIFF = "--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n-a\n--- b\n+c\n";

for (const [title, request, diff] of [
  ["Run npm publish", { facts: [command("npm publish")] }, undefined],
  ["agent-1f: Run npm publish", { facts: [command("npm publish")], session: "chat-1.agent-1f" }, undefined],
  ["Run npm publish", { facts: [command("npm publish")], session: "chat-1" }, undefined],
  ["Run a command", { facts: [command("a\nb")] }, undefined],
  ["Run a command", { facts: [command("x".repeat(300))] }, undefined],
  ["Edit src/sum.ts  +1 −2", { facts: [write], input: { path: "src/sum.ts" } }, DIFF],
  ["Edit src/sum.ts", { facts: [write], input: { path: "./src/../src/sum.ts" } }, undefined],
  ["Edit /w/src/sum.ts", { facts: [write], input: { path: "link.ts" } }, undefined],
  ["Edit /w/src/sum.ts", { facts: [write], input: { path: "../w/src/sum.ts" } }, undefined],
  ["Read src/sum.ts", { facts: [{ ...write, access: "read" }], input: { path: "src/sum.ts" } }, undefined],
  ["Create /w/n", { facts: [{ kind: "path", path: "/w/n", access: "write" }] }, undefined],
  ["Delete /w/src/sum.ts", { facts: [{ ...write, change: "delete" }] }, undefined],
  ["Edit 2 files", { facts: [write, { ...write, path: "/w/b" }] }, undefined],
  ["Use x", { facts: [write, { kind: "host", host: "a.com" }] }, undefined],
  ["Use x", {}, undefined],
  ["x asks", { question: { text: "go on?" } }, undefined],
  ["Run echo \\u{1b}[2J\\u{202e}", { facts: [command("echo \u{1b}[2J\u{202e}")] }, undefined],
] as const satisfies readonly (readonly [string, Partial<ApprovalRequest>, string | undefined])[])
  test(`a question about ${JSON.stringify(request)} is titled ${title}`, () =>
    assert.equal(questionTitle({ ...BASE, ...request }, diff), title));

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { readCommand } from "../../../shell/reader.ts";
import { approvalQuestion } from "./approval-question.ts";
import { questionText, shownTouches } from "./question-text.ts";

const request: ApprovalRequest = {
  callId: "1",
  tool: "write_file",
  risk: "medium",
  reason: "mode auto asks",
  hash: "",
  input: { path: "a", content: "one\ntwo\u{1b}]0;title\u{7}" },
  facts: [
    { kind: "path", path: "/home/a", access: "write" },
    { kind: "path", path: "/home/b", access: "read", device: 1, inode: 2 },
    { kind: "host", host: "example.org\u{202e}" },
  ],
};

test("a request shows the tool, its risk, the reason, the whole input and everything it touches", () => {
  const shown = questionText(approvalQuestion(request));
  for (const part of ["Use write_file (medium risk)", "mode auto asks", "one\\ntwo"]) {
    assert.ok(shown.includes(part), part);
  }
  assert.match(
    shown,
    /touches: write \/home\/a \(new\)\n {2}touches: read \/home\/b\n {2}touches: host example\.org\\u\{202e\}/,
  );
});

test("no part of a request reaches the terminal as anything but text", () => {
  const hostile = { ...request, reason: "fine\u{1b}[8m", tool: "x" };
  assert.doesNotMatch(questionText(approvalQuestion(hostile)).replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
});

test("a question in the middle of a run is shown as the tool's own", () => {
  const shown = questionText(
    approvalQuestion({ ...request, question: { text: "Go on?" }, reason: "Go on?" }),
  );
  assert.match(shown, /^\nwrite_file asks\n {2}Go on\?/);
});

test("what follows a line break in a text cannot look like a line of the question", () => {
  const [fact] = request.facts;
  const fake = "\n  touches: read /harmless\ncall 1: x runs anyway";
  const hostile = {
    ...request,
    reason: `fine${fake}`,
    facts: [{ kind: "command", text: `ls${fake}`, cwd: "/" } as const, ...(fact === undefined ? [] : [fact])],
    offers: [
      { scope: "always", label: `x${fake}`, rule: { decision: "allow" }, warning: `y${fake}` } as const,
    ],
  };
  const lines = questionText(approvalQuestion(hostile)).split("\n");
  const own = lines.filter((line) => /^ {0,2}(?:touches|call|\d would)/.test(line));
  assert.deepEqual(
    own.map((line) => line.trim()),
    ["touches: command ls", "touches: write /home/a (new)", "1 would save: always allow x"],
  );
});

test("the question of a sub-agent leaves out what its heading says, as any other", () => {
  const facts = [
    {
      kind: "command",
      text: "touch zz",
      cwd: "/w",
      reading: readCommand({ kind: "command", text: "touch zz", cwd: "/w" }),
    },
    { kind: "path", path: "/w", access: "read" },
    { kind: "path", path: "/w/zz", access: "write" },
  ] as const;
  for (const session of ["chat-1", "chat-1.agent-1f"]) {
    const question = approvalQuestion({ ...request, tool: "shell", facts, session, folder: "/w" });
    assert.deepEqual(shownTouches(question, "/w"), [{ text: "write zz (new)", programs: [] }], session);
  }
});

test("the one file that a heading names is not named again", () => {
  const read = { kind: "path", path: "/w/.env", access: "read", inode: 1 } as const;
  const touchesOf = (facts: ApprovalRequest["facts"]) =>
    shownTouches(
      approvalQuestion({ ...request, tool: "read_file", input: { path: ".env" }, facts, folder: "/w" }),
      "/w",
    ).map(({ text }) => text);
  assert.deepEqual(touchesOf([read]), []);
  assert.deepEqual(touchesOf([read, { ...read, path: "/w/a" }]), ["read .env", "read a"]);
  assert.deepEqual(touchesOf([{ kind: "host", host: "example.org" }]), ["host example.org"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { describeRequest } from "./describe-request.ts";

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
  const shown = describeRequest(request);
  for (const part of ["write_file wants to run (medium risk)", "mode auto asks", "one\\ntwo"]) {
    assert.ok(shown.includes(part), part);
  }
  assert.match(
    shown,
    /touches: write \/home\/a \(new\)\n {2}touches: read \/home\/b\n {2}touches: host example\.org\\u\{202e\}/,
  );
});

test("no part of a request reaches the terminal as anything but text", () => {
  const hostile = { ...request, reason: "fine\u{1b}[8m", tool: "x" };
  assert.doesNotMatch(describeRequest(hostile).replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
});

test("a question in the middle of a run is shown as the tool's own", () => {
  const shown = describeRequest({ ...request, question: { text: "Go on?" }, reason: "Go on?" });
  assert.match(shown, /^\nwrite_file asks\n {2}Go on\?/);
});

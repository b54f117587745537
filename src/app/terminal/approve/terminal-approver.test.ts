import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { approvalQuestion } from "../../host/approvals/approval-question.ts";
import { answerPrompt, choiceLines, questionDetails, questionWords } from "./question-words.ts";
import { toApproval } from "./terminal-approver.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: {},
  facts: [],
  reason: "",
  hash: "",
};
const GRANT = { tool: "shell", command: ["git", "commit"], exact: true, decision: "allow" } as const;

const choicesFor = (request: ApprovalRequest, width = 80): string =>
  choiceLines(approvalQuestion(request), { width, isTerminal: true });
const answer = (request: ApprovalRequest, typed: string): ReturnType<typeof toApproval> =>
  toApproval(approvalQuestion(request), typed);

test("the choices have the keys and words of the REPL, wrapped at spaces, and Ctrl-O", () => {
  const offers = [{ scope: "always", label: "edit_file in src/", rule: GRANT }] as const;
  assert.equal(
    choicesFor({ ...REQUEST, grant: GRANT, offers }, 44),
    `  [y] Allow once
  [s] Allow exactly the command git
      commit for the rest of the session
  [a] Always allow exactly the command
      git commit
  [1] Always allow edit_file in src/
  [e] Edit the input
  [n] No
  [Ctrl-O] Show the input and the rules
      that are saved, as JSON
`,
  );
  assert.doesNotMatch(choicesFor(REQUEST), /Always/);
  assert.doesNotMatch(choicesFor({ ...REQUEST, ungrantable: "bash can run anything" }), /session|Always/);
});

test("a question is in words, without JSON; its details have the input and the rules", () => {
  const command = { kind: "command", text: "git commit -m x", cwd: "/w" } as const;
  const written = { kind: "path", path: "/w/src/a.ts", access: "write" } as const;
  const input = { command: "git commit -m x", timeout_seconds: 5 };
  const request = {
    ...REQUEST,
    input,
    facts: [command, written],
    grant: GRANT,
    folder: "/w",
    isByMode: true,
  } as const;
  const question = approvalQuestion(request);
  assert.equal(
    questionWords(question, request, { width: 40 }),
    "\n? Run git commit -m x  (shell, high\n    risk)\n  in /w\n  write src/a.ts (new)\n",
  );
  assert.match(
    questionDetails(question, request, { width: 80 }),
    /input \{\n +"command": [^]*\[a\] saves\n +\{ "tool": "shell"/,
  );
  const other = { ...REQUEST, input: { to: "x" }, facts: [], tool: "send" };
  assert.match(questionWords(approvalQuestion(other), other, { width: 80 }), /Use send[^]*"to": "x"/);
});

test("what is shown of a question leaves out nothing that a person at another place does not see", () => {
  const page = { width: 40 };
  const fact = { kind: "command", text: "make", cwd: "/w" } as const;
  const shown = (request: ApprovalRequest): string => questionWords(approvalQuestion(request), request, page);
  const made = {
    ...REQUEST,
    input: { command: "make" },
    facts: [fact],
    folder: "/w",
    isByMode: true,
  } as const;
  assert.equal(shown(made), "\n? Run make  (shell, high risk)\n  in /w\n");
  assert.match(shown({ ...made, input: { command: "deploy" } }), /"command": "deploy"/);
  const question = { text: "Overwrite it?", details: { path: "/etc/hosts" } };
  assert.match(
    shown({ ...REQUEST, reason: question.text, facts: [], question }),
    /Overwrite it\?[^]*"path": "\/etc\/hosts"/,
  );
  const long = `echo ${"x".repeat(28)} in /safe`;
  const lines = shown({ ...made, input: { command: long }, facts: [{ ...fact, text: long }] }).split("\n");
  assert.deepEqual(
    lines.filter((line) => line.startsWith("  in ")),
    ["  in /w"],
    "a command cannot look like a line of the question",
  );
});

test("a choice is typed as its key or in full", async () => {
  assert.deepEqual(await answer(REQUEST, "y"), { approved: true, scope: "once" });
  assert.deepEqual(await answer(REQUEST, " Yes "), { approved: true, scope: "once" });
  const granted = { ...REQUEST, grant: GRANT };
  assert.deepEqual(await answer(granted, "s"), { approved: true, scope: "session" });
  assert.deepEqual(await answer(granted, "ALWAYS"), { approved: true, scope: "always" });
  const once = { ...REQUEST, ungrantable: "bash can run anything" };
  for (const typed of ["s", "a", "session", "1", "2"])
    assert.equal((await answer(once, typed)).approved, false, typed);
});

for (const [typed, reason] of [
  ["", ""],
  ["maybe", ""],
  ["n", ""],
  ["no", ""],
  ["n not on main ", "not on main"],
  ["No, use CI", "use CI"],
  ["never", ""],
] as const)
  test(`the answer ${JSON.stringify(typed)} declines with the reason ${JSON.stringify(reason)}`, async () =>
    assert.deepEqual(await answer(REQUEST, typed), { approved: false, reason, declined: true }));

test("a question of a running tool is answered with yes or no", async () => {
  const asked = { ...REQUEST, question: { text: "Overwrite?" } };
  assert.equal(choicesFor(asked).split("\n").slice(0, 2).join(), "  [y] Yes,  [n] No");
  assert.equal(answerPrompt(approvalQuestion(REQUEST)), "Answer (Enter is n; n REASON tells why not): ");
  assert.deepEqual(await answer(asked, "yes"), { approved: true, scope: "once" });
  assert.equal((await answer(asked, "e")).approved, false);
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { fromForm, toForm } from "./approval-form.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: "git push" },
  facts: [],
  reason: "it asks",
  hash: "h",
};
const GRANT = { tool: "shell", decision: "allow" } as const;

function offered(request: ApprovalRequest): unknown {
  return (toForm(request).requestedSchema["properties"] as never)["answer"]["enum"];
}

test("only scopes that can be granted are offered", () => {
  assert.deepEqual(offered({ ...REQUEST, grant: GRANT }), ["once", "session", "always", "no"]);
  assert.deepEqual(offered(REQUEST), ["once", "session", "no"]);
  assert.deepEqual(offered({ ...REQUEST, grant: GRANT, ungrantable: "it runs anything" }), ["once", "no"]);
  assert.deepEqual(offered({ ...REQUEST, question: { text: "go on?" } }), ["yes", "no"]);
});

test("a wider rule is a choice of the form, with its warning, and is saved if it is chosen", () => {
  const offers = [
    { scope: "always", label: "npm test in /w", rule: GRANT, warning: "the files decide what it runs" },
  ] as const;
  const request = { ...REQUEST, ungrantable: "npm runs anything", offers };
  assert.deepEqual(offered(request), ["once", "1", "no"]);
  const { requestedSchema, message } = toForm(request);
  assert.doesNotMatch(message, /1 would save/);
  assert.deepEqual((requestedSchema["properties"] as never)["answer"]["enumNames"], [
    "Allow once",
    "Always allow npm test in /w (the files decide what it runs)",
    "No",
  ]);
  const answer = { action: "accept", content: { answer: "1" } };
  assert.deepEqual(fromForm(request, answer), { approved: true, scope: "always", offer: 0 });
  assert.equal(fromForm(request, { ...answer, content: { answer: "2" } }).approved, false);
});

test("the texts of another server's form are escaped, its values are not", () => {
  const hostile = "a\u{202e}b";
  const field = {
    type: "string",
    title: hostile,
    description: hostile,
    enum: [hostile],
    enumNames: [hostile],
  };
  const form = {
    type: "object",
    properties: { field, other: { oneOf: [{ const: hostile, title: hostile }] } },
  };
  const { requestedSchema } = toForm({ ...REQUEST, question: { text: "?", details: { form } } });
  const shown = "a\\u{202e}b";
  assert.deepEqual(requestedSchema["properties"], {
    field: { type: "string", title: shown, description: shown, enum: [hostile], enumNames: [shown] },
    other: { oneOf: [{ const: hostile, title: shown }] },
  });
});

test("an answer has the chosen scope", () => {
  const request = { ...REQUEST, grant: GRANT };
  for (const scope of ["once", "session", "always"] as const)
    assert.deepEqual(fromForm(request, { action: "accept", content: { answer: scope } }), {
      approved: true,
      scope,
    });
  assert.equal(fromForm(request, { action: "accept", content: { answer: "no" } }).approved, false);
});

test("an invalid answer denies", () => {
  const answers = [
    {},
    { action: "accept" },
    { action: "accept", content: null },
    { action: "accept", content: [] },
    { action: "accept", content: { answer: "always" } },
    { action: "accept", content: { answer: "yes" } },
    { action: "accept", content: { answer: true } },
    { action: "accept", content: Object.create({ answer: "once" }) as object },
    { action: "decline", content: { answer: "once" } },
    { action: "cancel" },
    { action: "ACCEPT", content: { answer: "once" } },
  ];
  for (const answer of answers)
    assert.equal(fromForm(REQUEST, answer).approved, false, JSON.stringify(answer));
});

test("a question with its own form is answered with the filled-in values", () => {
  const form = { type: "object", properties: { name: { type: "string" } } };
  const request = { ...REQUEST, question: { text: "who?", details: { form } } };
  assert.deepEqual(toForm(request).requestedSchema, form);
  assert.deepEqual(fromForm(request, { action: "accept", content: { name: "Ada" } }), {
    approved: true,
    scope: "once",
    input: { name: "Ada" },
  });
});

test("characters that could hide or fake text in a client's window are shown as numbers", () => {
  const { message } = toForm({ ...REQUEST, input: { command: "a\u{202e}b\u{1b}[2J" } });
  assert.doesNotMatch(message, /[\u{202e}\u{1b}]/u);
});

test("the form begins with the command, then the reason, and once is preselected", () => {
  const fact = { kind: "command", text: "git push origin main", cwd: "/work" } as const;
  const { message, requestedSchema } = toForm({ ...REQUEST, facts: [fact] });
  assert.deepEqual(message.split("\n").slice(0, 2), [
    "Run git push origin main (shell, high risk)",
    "  it asks",
  ]);
  const long = { ...fact, text: "git add .\ngit push" };
  assert.deepEqual(
    toForm({ ...REQUEST, facts: [long] })
      .message.split("\n")
      .slice(0, 4),
    ["Run a command (shell, high risk)", "  $ git add .", "    git push", "  it asks"],
  );
  assert.equal((requestedSchema["properties"] as never)["answer"]["default"], "once");
});

test("the form of a change begins with the file and the change", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "a.txt");
  writeFileSync(path, "one\ntwo\n");
  const fact = { kind: "path", access: "write", path, inode: 1 } as never;
  const { message } = toForm({
    ...REQUEST,
    tool: "edit_file",
    facts: [fact],
    input: { path, old_string: "two", new_string: "three" },
  });
  const [heading, ...lines] = message.split("\n");
  assert.equal(heading, `Edit ${path}  +1 −1 (edit_file, high risk)`);
  assert.deepEqual(lines.slice(0, 4), ["@@ -1,2 +1,2 @@", " one", "-two", "+three"]);
});

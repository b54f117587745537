import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { FIRST_STATE, type Dialog } from "../state/repl-state.ts";
import { createStore } from "../state/store.ts";
import { choose, firstDialog, goBack, keysOf, submitAnswer, type DialogStep } from "../state/dialog.ts";
import { createPendingApprovals, recordAnswer } from "./pending-approvals.ts";
import { approvalQuestion } from "../../host/approvals/approval-question.ts";
import { previewChange } from "../../host/approvals/preview-change.ts";

const REQUEST: ApprovalRequest = {
  callId: "c",
  tool: "shell",
  risk: "high",
  input: { command: "rm x" },
  facts: [],
  reason: "it is high risk",
  hash: "h",
  grant: { tool: "shell", decision: "allow" },
};
const { grant: _grant, ...UNGRANTED } = REQUEST;
const OFFERING: ApprovalRequest = {
  ...REQUEST,
  offers: [{ scope: "always", label: "rm in build/", rule: { tool: "shell", decision: "allow" } }],
};

const [ENTER, ESCAPE, CLEAR] = ["\r", "\u{1b}", "\u{15}"];
const [UP, DOWN] = ["\u{1b}[A", "\u{1b}[B"];

/** What comes of typing: the answer, or where the dialog stands. */
function answered(request: ApprovalRequest, ...keys: readonly string[]): Approval | Dialog {
  const question = approvalQuestion(request);
  let dialog = firstDialog(question);
  let typed = "";
  for (const key of keys) {
    let step: DialogStep | undefined;
    if (key === ESCAPE && dialog.kind !== "choose") step = goBack(question, dialog);
    else if (dialog.kind === "choose" || dialog.kind === "command")
      step = choose(question, key, request.input, dialog);
    else if (key === ENTER) step = submitAnswer(dialog, typed);
    else typed = key === CLEAR ? "" : typed + key;
    if (step === undefined) continue;
    if ("approval" in step) return step.approval;
    ({ dialog, text: typed = "" } = step);
  }
  return dialog;
}

const no = (reason = ""): Approval => ({ approved: false, reason, declined: true });

const ANSWERS: readonly (readonly [string, ApprovalRequest, readonly string[], Approval])[] = [
  ["y is yes, once", REQUEST, ["y"], { approved: true, scope: "once" }],
  ["s is for the session", REQUEST, ["S"], { approved: true, scope: "session" }],
  ["a is always", REQUEST, ["a"], { approved: true, scope: "always" }],
  ["a number chooses an offer", OFFERING, ["1"], { approved: true, scope: "always", offer: 0 }],
  ["an arrow key and Enter is the first choice", REQUEST, [DOWN, ENTER], { approved: true, scope: "once" }],
  ["two arrow keys are the second", REQUEST, [DOWN, DOWN, ENTER], { approved: true, scope: "session" }],
  ["the other arrow key begins at the end", REQUEST, [UP, ENTER, "later", ENTER], no("later")],
  ["Enter without an arrow key is no answer", REQUEST, [ENTER, "y"], { approved: true, scope: "once" }],
  ["n and Enter is no", REQUEST, ["n", ENTER], no()],
  ["n, a reason and Enter is no, because", REQUEST, ["n", "not ", "now", ENTER], no("not now")],
  [
    "an edited input runs once",
    REQUEST,
    ["e", CLEAR, '{"command":"ls"}', ENTER],
    { approved: true, scope: "once", input: { command: "ls" } },
  ],
];

for (const [what, request, keys, approval] of ANSWERS) {
  test(what, () => assert.deepEqual(answered(request, ...keys), approval));
}

test("the letters of a command are no answers, until Enter or Escape leads back to the question", () => {
  for (const start of ["/", "!"]) {
    assert.deepEqual(answered(REQUEST, start, "s", "y", "a"), { kind: "command" });
    for (const back of [ENTER, ESCAPE]) {
      assert.deepEqual(answered(REQUEST, start, "s", back), { kind: "choose" });
      assert.deepEqual(answered(REQUEST, start, "s", back, "y"), { approved: true, scope: "once" });
    }
  }
});

for (const [what, request, key] of [
  ["always, where no rule is offered", UNGRANTED, "a"],
  ["always, where it may be once only", { ...REQUEST, ungrantable: "it is not proven" }, "a"],
  ["the session, where it may be once only", { ...UNGRANTED, ungrantable: "it is not proven" }, "s"],
  ["an offer that there is not", OFFERING, "2"],
  ["edit, where a running tool asks", { ...REQUEST, question: { text: "go on?" } }, "e"],
  ["a word that begins with y", REQUEST, "yes"],
  ["Enter", REQUEST, ENTER],
  ["what is pasted", REQUEST, "\u{1b}[200~y\u{1b}[201~"],
] as const) {
  test(`${what} is not an answer`, () => assert.deepEqual(answered(request, key), { kind: "choose" }));
}

test("an input that is not a JSON object is reported, and can be corrected", () => {
  const dialog = answered(REQUEST, "e", "x", ENTER);
  assert.ok(
    "kind" in dialog && dialog.kind === "edit" && dialog.problem === "the input is not a JSON object",
  );
});

test("Escape goes back from a reason and from editing", () => {
  assert.deepEqual(answered(REQUEST, "n", "x", ESCAPE), { kind: "choose" });
  assert.deepEqual(answered(REQUEST, "e", ESCAPE), { kind: "choose" });
});

test("a question of a running tool is answered with yes or no", () => {
  assert.deepEqual(
    keysOf(approvalQuestion({ ...REQUEST, question: { text: "go on?" } })).map(([key]) => key),
    ["y", "n"],
  );
});

function asking(properties: JsonObject, required: readonly string[] = []): ApprovalRequest {
  const form = { type: "object", properties, required: [...required] };
  return { ...UNGRANTED, question: { text: "the server asks", details: { form } } };
}

test("a form is filled in field by field, each with its type", () => {
  const request = asking(
    {
      name: { type: "string", title: "Name" },
      age: { type: "integer" },
      isMember: { type: "boolean" },
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
      tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      ratio: { type: "number", default: 0.5 },
      note: { type: "string" },
    },
    ["name"],
  );
  const keys = [
    "Ann",
    ENTER,
    "41",
    ENTER,
    "yes",
    ENTER,
    "2",
    ENTER,
    "Small",
    ENTER,
    "b, 1",
    ENTER,
    ENTER,
    ENTER,
  ];
  assert.deepEqual(answered(request, ...keys), {
    approved: true,
    scope: "once",
    input: { name: "Ann", age: 41, isMember: true, colour: "g", size: "s", tags: ["b", "a"], ratio: 0.5 },
  });
});

for (const [field, typed, problem] of [
  [{ type: "integer" }, "1.5", "must be a whole number"],
  [{ type: "number" }, "many", "must be a number"],
  [{ type: "boolean" }, "perhaps", "must be yes or no"],
  [{ type: "string", enum: ["a", "b"] }, "3", "must be one of the choices"],
  [{ type: "string" }, "", "a value is required"],
] as const) {
  test(`${JSON.stringify(typed)} for ${JSON.stringify(field)} is rejected`, () => {
    const dialog = answered(asking({ field }, ["field"]), typed, ENTER);
    assert.ok("kind" in dialog && dialog.kind === "form" && dialog.problem === problem);
  });
}

test("Escape declines a form", () => {
  assert.deepEqual(answered(asking({ a: { type: "string" } }), ESCAPE), no());
});

test("the diff of an edit is shown before the edit runs", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
  const request = async (name: string, input: JsonObject): Promise<ApprovalRequest> => ({
    ...REQUEST,
    input,
    facts: [await resolveTarget(name, { cwd: folder, access: "write" })],
  });
  const changes = async (name: string, input: JsonObject): Promise<string> => {
    const diff = previewChange(await request(name, input));
    return (diff ?? "none")
      .split("\n")
      .filter((row) => /^[+-](?![+-]{2} )/.test(row))
      .join(" ");
  };
  assert.equal(await changes("a.txt", { old_string: "two", new_string: "2" }), "-two +2");
  assert.equal(await changes("a.txt", { edits: [{ old_string: "one", new_string: "1" }] }), "-one +1");
  assert.equal(await changes("a.txt", { content: "one\n" }), "-two");
  assert.equal(await changes("new.txt", { content: "first\n" }), "+first");
  assert.equal(await changes("a.txt", { insert_line: 1, new_string: "between" }), "+between");
  assert.equal(previewChange(await request("a.txt", { old_string: "gone", new_string: "" })), undefined);
  assert.equal(previewChange(await request("a.txt", { patch: "--- a\n+++ b\n" })), "--- a\n+++ b\n");
});

test("a call that does not only change files is shown with its whole input", async (t) => {
  const target = await resolveTarget("a.txt", { cwd: temporaryFolder(t), access: "write" });
  const mcp = { kind: "mcp", server: "ci", tool: "deploy" } as const;
  for (const input of [
    { patch: "+harmless", target: "production" },
    { content: "harmless", run: "rm -r /" },
  ])
    for (const facts of [[mcp], [mcp, target], []])
      assert.equal(previewChange({ ...REQUEST, input, facts }), undefined);
});

test("questions are shown one at a time, each with its diff", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.txt"), "one\n");
  const store = createStore(FIRST_STATE);
  const approvals = createPendingApprovals(store);
  t.after(() => approvals.close());
  const facts = [await resolveTarget("a.txt", { cwd: folder, access: "write" })];
  const signal = new AbortController().signal;
  const first = approvals.ask({ ...REQUEST, input: { content: "two\n" }, facts }, signal);
  const second = approvals.ask({ ...REQUEST, tool: "other" }, signal);
  await changed(store, () => store.get().isArmed && store.get().approvals[0]?.question.view.kind === "diff");
  assert.match(JSON.stringify(store.get().approvals[0]?.question.view), /-one\\n\+two/);
  approvals.answer(store.get().approvals[0]?.id ?? 0, { approved: true, scope: "once" });
  assert.deepEqual(await first, { approved: true, scope: "once" });
  assert.deepEqual(
    store.get().approvals.map(({ request }) => request.tool),
    ["other"],
  );
  assert.equal(store.get().isArmed, false, "the next one is new");
  approvals.close();
  assert.equal((await second).approved, false);
});

test("a cancelled question disappears", async (t) => {
  const store = createStore(FIRST_STATE);
  const approvals = createPendingApprovals(store);
  t.after(() => approvals.close());
  const controller = new AbortController();
  const asked = approvals.ask(REQUEST, controller.signal);
  controller.abort();
  assert.equal((await asked).approved, false);
  assert.deepEqual(store.get().approvals, []);
});

async function changed(
  store: { subscribe(listener: () => void): () => void },
  holds: () => boolean,
): Promise<void> {
  const end = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > end) throw new Error("waited in vain");
    await Promise.race([new Promise<void>((resolve) => store.subscribe(resolve)), wait(50)]);
  }
}

test("the notice about an answer that lasts names what is allowed", () => {
  const noticeOf = (approval: Approval): string | undefined => {
    const block = recordAnswer(FIRST_STATE, OFFERING, approval).blocks.at(-1);
    return block?.kind === "notice" ? block.text : undefined;
  };
  assert.equal(
    noticeOf({ approved: true, scope: "session" }),
    "answered: Allow shell for the rest of the session",
  );
  assert.equal(
    noticeOf({ approved: true, scope: "always", offer: 0 }),
    "answered: Always allow rm in build/",
  );
  assert.equal(noticeOf({ approved: true, scope: "once" }), undefined);
});

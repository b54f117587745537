import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { approvalQuestion } from "../../host/approvals/approval-question.ts";
import { promptOf, toApproval } from "./terminal-approver.ts";

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

const promptFor = (request: ApprovalRequest): string => promptOf(approvalQuestion(request));
const answer = (request: ApprovalRequest, typed: string): ReturnType<typeof toApproval> =>
  toApproval(approvalQuestion(request), typed);

test("the prompt has every choice of the question with its key, editing, and a reason for no", () => {
  const offers = [{ scope: "always", label: "edit_file in src/", rule: GRANT }] as const;
  assert.equal(
    promptFor({ ...REQUEST, grant: GRANT, offers }),
    "Allow it? [y] yes, once; [s] same call, all session; [a] always; [1] always allow edit_file in src/; [e] edit; [n] no [REASON]: ",
  );
  assert.doesNotMatch(promptFor(REQUEST), /always/);
  assert.doesNotMatch(promptFor({ ...REQUEST, ungrantable: "bash can run anything" }), /session|always/);
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
  assert.equal(promptFor(asked), "[y] yes; [n] no: ");
  assert.deepEqual(await answer(asked, "yes"), { approved: true, scope: "once" });
  assert.equal((await answer(asked, "e")).approved, false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { describeGrant, describeOffer } from "./describe-request.ts";
import { choicesFor, toApproval } from "./terminal-approver.ts";

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

test("always is offered with the rule that it would save, and only where there is one", () => {
  const granted = { ...REQUEST, grant: GRANT };
  assert.match(choicesFor(granted), /\[s\]ession.*\[a\]lways.*\[e\]dit.*\[n\]o \[REASON\]: $/);
  assert.equal(describeGrant(granted), `  always would save: ${JSON.stringify(GRANT)}\n`);
  assert.doesNotMatch(choicesFor(REQUEST), /always/);
});

test("a wider rule is named with how long it holds", () => {
  const offer = { label: "edit_file in src/", rule: GRANT };
  assert.equal(describeOffer({ ...offer, scope: "always" }), "always allow edit_file in src/");
  assert.equal(describeOffer({ ...offer, scope: "session" }), "allow edit_file in src/, for this session");
});

test("what can be approved once only says so, and offers no more", () => {
  const once = { ...REQUEST, ungrantable: "bash can run anything" };
  assert.doesNotMatch(choicesFor(once), /session|always/);
  assert.equal(describeGrant(once), "  only once: bash can run anything\n");
});

test("an approval for the session is named after what it allows, which may be more than this call", () => {
  const wide = { tool: "t", decision: "allow" } as const;
  assert.match(choicesFor({ ...REQUEST, grant: wide }), /\[s\]ession: the rule that is shown for/);
  assert.match(choicesFor({ ...REQUEST, grant: { ...wide, input: {}, exact: true } }), /this exact call for/);
});

test("y approves once, s for the session where that is offered", async () => {
  assert.deepEqual(await toApproval(REQUEST, "y"), { approved: true, scope: "once" });
  const granted = { ...REQUEST, grant: GRANT };
  assert.deepEqual(await toApproval(granted, "s"), { approved: true, scope: "session" });
  const once = { ...REQUEST, ungrantable: "bash can run anything" };
  assert.equal((await toApproval(once, "s")).approved, false);
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
    assert.deepEqual(await toApproval(REQUEST, typed), { approved: false, reason, declined: true }));

test("a question of a running tool is answered with yes or no", () => {
  const asked = { ...REQUEST, question: { text: "Overwrite?" } };
  assert.equal(choicesFor(asked), "[y]es; [n]o: ");
  assert.equal(describeGrant(asked), "");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { firstAnswer } from "./first-answer.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "t",
  risk: "high",
  input: {},
  facts: [],
  reason: "",
  hash: "",
};
const YES: Approval = { approved: true, scope: "once" };
const NEVER = new AbortController().signal;

test("the first answer counts, and the other approvers are cancelled", async () => {
  let isStopped = false;
  const silent: Approver = {
    ask: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          isStopped = true;
          resolve({ approved: false, reason: "too late" });
        });
      }),
  };
  const approver = firstAnswer([silent, { ask: async () => YES }]);
  assert.deepEqual(await approver.ask(REQUEST, NEVER), YES);
  assert.equal(isStopped, true);
});

test("one that fails leaves the answer to the others", async () => {
  const failing: Approver = { ask: () => Promise.reject(new Error("no terminal")) };
  assert.deepEqual(await firstAnswer([failing, { ask: async () => YES }]).ask(REQUEST, NEVER), YES);
  await assert.rejects(firstAnswer([failing, failing]).ask(REQUEST, NEVER), /no terminal/);
});

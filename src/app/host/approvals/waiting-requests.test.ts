import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { QueuedApprover } from "../../../store/database/approval-queue.ts";
import { createWaiting } from "./waiting-requests.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: "make" },
  facts: [],
  reason: "it is not proven to only read",
  hash: "h",
};

/** A queue that gives each request a number; `left` are those that left it. */
function createQueue() {
  const [asked, left]: [ApprovalRequest[], number[]] = [[], []];
  const approver: QueuedApprover = {
    ask(request, signal, onStored) {
      const number = asked.push(request);
      signal.addEventListener("abort", () => left.push(number));
      onStored?.(String(number));
      return new Promise<Approval>(() => undefined);
    },
  };
  return { approver, asked, left };
}

test("the same call finds its request again; one of which a person would be shown something else asks anew", () => {
  const { approver, asked } = createQueue();
  const waiting = createWaiting(approver);
  const { signal } = new AbortController();
  waiting.enter(REQUEST, signal).park();
  waiting.enter({ ...REQUEST, callId: "2" }, signal).park();
  assert.equal(asked.length, 1);
  waiting.enter({ ...REQUEST, parentId: "3" }, signal).park();
  assert.equal(asked.length, 2);
  waiting.enter({ ...REQUEST, callId: "4.1", parentId: "4" }, signal);
  assert.equal(asked.length, 2, "the same call of another run of its caller");
  waiting.enter({ ...REQUEST, reason: "it writes to /etc" }, signal);
  waiting.enter({ ...REQUEST, grant: { decision: "allow", tool: "shell" } }, signal);
  waiting.enter(
    { ...REQUEST, offers: [{ scope: "always", label: "make", rule: { decision: "allow" } }] },
    signal,
  );
  assert.equal(asked.length, 5);
});

test("of two equal calls that were parked at once one stays in the queue", () => {
  const { approver, left } = createQueue();
  const waiting = createWaiting(approver);
  const { signal } = new AbortController();
  const [first, second] = [waiting.enter(REQUEST, signal), waiting.enter(REQUEST, signal)];
  first.park();
  second.park();
  assert.deepEqual(left, [1]);
});

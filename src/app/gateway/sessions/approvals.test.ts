import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { createApprovals } from "./approvals.ts";

const YES: Approval = { approved: true, scope: "once" };
const request = (callId: string, session = "s"): ApprovalRequest => ({
  callId,
  session,
  tool: "t",
  risk: "high",
  input: {},
  facts: [],
  reason: "it asks",
  hash: "h",
});
const signal = new AbortController().signal;

test("a call, and the calls it makes, need approval at their own client and no other", async () => {
  const approvals = createApprovals({});
  const asked: string[] = [];
  const ask = (name: string) => async (): Promise<Approval> => {
    asked.push(name);
    return YES;
  };
  const stop = approvals.during({ id: "a", session: "s1" }, ask("one"));
  approvals.during({ id: "b", session: "s2" }, ask("two"));
  await approvals.approver.ask(request("a", "s1"), signal);
  await approvals.approver.ask(request("b.1.2", "s2"), signal);
  await approvals.approver.ask(request("other", "s1"), signal);
  assert.deepEqual(asked, ["one", "two", "one"]);
  stop();
  assert.equal((await approvals.approver.ask(request("a", "s1"), signal)).approved, false);
  assert.equal((await approvals.approver.ask(request("x", "s3"), signal)).approved, false);
});

test("the queue can answer too, and a request that waits only there is reported", async () => {
  const queued: string[] = [];
  const approvals = createApprovals({
    queue: { ask: () => Promise.resolve(YES) },
    onQueued: ({ callId }) => queued.push(callId),
  });
  approvals.during({ id: "a", session: "s" }, () => new Promise(() => undefined));
  assert.deepEqual(await approvals.approver.ask(request("a"), signal), YES);
  assert.deepEqual(await approvals.approver.ask(request("z", "other"), signal), YES);
  assert.deepEqual(queued, ["z"]);
});

test("a client that fails leaves the answer to the queue", async () => {
  const approvals = createApprovals({ queue: { ask: () => Promise.resolve(YES) } });
  approvals.during({ id: "a", session: "s" }, () => Promise.reject(new Error("gone")));
  assert.deepEqual(await approvals.approver.ask(request("a"), signal), YES);
});

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
  const approvals = createApprovals();
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

test("another approver can answer too", async () => {
  const approvals = createApprovals({ ask: () => Promise.resolve(YES) });
  approvals.during({ id: "a", session: "s" }, () => new Promise(() => undefined));
  assert.deepEqual(await approvals.approver.ask(request("a"), signal), YES);
  assert.deepEqual(await approvals.approver.ask(request("z", "other"), signal), YES);
});

test("a client that fails leaves the answer to the queue", async () => {
  const approvals = createApprovals({ ask: () => Promise.resolve(YES) });
  approvals.during({ id: "a", session: "s" }, () => Promise.reject(new Error("gone")));
  assert.deepEqual(await approvals.approver.ask(request("a"), signal), YES);
});

test("a form that is dismissed leaves the answer to the other approver, unless a server asked", async () => {
  const approvals = createApprovals({ ask: async () => YES });
  const dismissed: Approval = { approved: false, reason: "dismissed", dismissed: true };
  approvals.during({ id: "a", session: "s" }, async (_request, stop) => {
    await Promise.resolve();
    assert.ok(!stop.aborted);
    return dismissed;
  });
  assert.deepEqual(await approvals.approver.ask(request("a"), signal), YES);
  const silent = createApprovals({ ask: () => new Promise(() => undefined) });
  silent.during({ id: "a", session: "s" }, async () => dismissed);
  const asked = { ...request("a"), question: { text: "?" } };
  assert.deepEqual(await silent.approver.ask(asked, signal), dismissed);
});

test("without another approver a dismissed form denies", async () => {
  const approvals = createApprovals();
  approvals.during({ id: "a", session: "s" }, async () => ({
    approved: false,
    reason: "no",
    dismissed: true,
  }));
  assert.equal((await approvals.approver.ask(request("a"), signal)).approved, false);
});

test("a call is reported as waiting until it is answered", async () => {
  const states: string[] = [];
  const approvals = createApprovals({ ask: async () => YES });
  approvals.during({ id: "a", session: "s" }, undefined, () => {
    states.push("waits");
    return () => states.push("goes on");
  });
  await approvals.approver.ask(request("a.1"), signal);
  assert.deepEqual(states, ["waits", "goes on"]);
});

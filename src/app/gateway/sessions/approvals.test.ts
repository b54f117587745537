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

test("a form that is dismissed leaves the answer to the queue, and is reported with the id of the queue", async () => {
  const queued: (string | undefined)[] = [];
  const asked = Promise.withResolvers<Approval>();
  const approvals = createApprovals({
    queue: {
      ask(_request, _signal, onStored) {
        onStored?.("id-1");
        return asked.promise;
      },
    },
    onQueued: (_request, id) => {
      queued.push(id);
      asked.resolve(YES);
    },
  });
  const dismissed: Approval = { approved: false, reason: "dismissed", dismissed: true };
  approvals.during({ id: "a", session: "s" }, async () => dismissed);
  const one = request("a");
  assert.deepEqual(await approvals.approver.ask(one, signal), YES);
  assert.deepEqual(queued, ["id-1"]);
  assert.match(approvals.approver.hint?.(one) ?? "", /toolwright approve id-1$/);
});

test("without a queue a dismissed form denies", async () => {
  const approvals = createApprovals({});
  approvals.during({ id: "a", session: "s" }, async () => ({
    approved: false,
    reason: "no",
    dismissed: true,
  }));
  assert.equal((await approvals.approver.ask(request("a"), signal)).approved, false);
});

test("a call is reported as waiting until it is answered", async () => {
  const states: string[] = [];
  const approvals = createApprovals({ queue: { ask: async () => YES } });
  approvals.during({ id: "a", session: "s" }, undefined, () => {
    states.push("waits");
    return () => states.push("goes on");
  });
  await approvals.approver.ask(request("a.1"), signal);
  assert.deepEqual(states, ["waits", "goes on"]);
});

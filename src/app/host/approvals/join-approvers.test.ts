import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { joinApprovers, PassedOn } from "./join-approvers.ts";

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
  const approver = joinApprovers([silent, { ask: async () => YES }]);
  assert.deepEqual(await approver.ask(REQUEST, NEVER), YES);
  assert.equal(isStopped, true);
});

test("one that fails leaves the answer to the others", async () => {
  const failing: Approver = { ask: () => Promise.reject(new Error("no terminal")) };
  assert.deepEqual(await joinApprovers([failing, { ask: async () => YES }]).ask(REQUEST, NEVER), YES);
  await assert.rejects(joinApprovers([failing, failing]).ask(REQUEST, NEVER), /no terminal/);
});

test("a request that every other approver leaves to the queue is reported once, with its id", async () => {
  for (const idIsLate of [false, true]) {
    const reported: string[] = [];
    const stored = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Approval>();
    const passing: Approver = {
      async ask() {
        if (!idIsLate) await stored.promise;
        throw new PassedOn({ approved: false, reason: "dismissed" });
      },
    };
    const approver = joinApprovers([passing, passing], {
      async ask(_request, _signal, onStored) {
        await new Promise(setImmediate);
        onStored?.("id-1");
        stored.resolve();
        return answered.promise;
      },
    });
    approver.onQueued((_request, id) => {
      reported.push(id);
      answered.resolve(YES);
    });
    assert.deepEqual(await approver.ask(REQUEST, NEVER), YES);
    assert.deepEqual(reported, ["id-1"]);
    assert.match(approver.hint?.(REQUEST) ?? "", /toolwright approve id-1$/);
  }
});

test("what is passed on counts if there is no other approver", async () => {
  const answer = { approved: false, reason: "dismissed", dismissed: true } as const;
  const passing: Approver = { ask: () => Promise.reject(new PassedOn(answer)) };
  assert.deepEqual(await joinApprovers([passing]).ask(REQUEST, NEVER), answer);
  assert.deepEqual(await joinApprovers([passing, { ask: async () => YES }]).ask(REQUEST, NEVER), YES);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { createApprovalQueue, type ApprovalQueue } from "./approval-queue.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: "curl -H hunter2hunter2" },
  facts: [],
  reason: "mode auto asks",
  hash: "h",
};
const YES: Approval = { approved: true, scope: "once" };
const NO: Approval = { approved: false, reason: "not now" };
const NEVER = new AbortController().signal;

async function firstPending(queue: ApprovalQueue): Promise<string> {
  for (;;) {
    const [first] = await queue.pending();
    if (first !== undefined) return first.id;
    await new Promise(setImmediate);
  }
}

test("a request waits in the store and resolves with the answer given there", async () => {
  const collections = createMemoryCollections();
  const here = createApprovalQueue(collections, { pollMs: 1 });
  const there = createApprovalQueue(collections);
  const asked = here.approver.ask(REQUEST, NEVER);
  const id = await firstPending(there);
  assert.deepEqual((await there.pending())[0]?.request, REQUEST);
  assert.equal(await there.answer(id, { ...YES, input: { command: "ls" } }), true);
  assert.deepEqual(await asked, { ...YES, input: { command: "ls" } });
  assert.deepEqual(await there.pending(), []);
});

test("an answer through the queue that asked ends the wait at once", async () => {
  const queue = createApprovalQueue(createMemoryCollections(), { pollMs: 2 ** 30 });
  const asked = queue.approver.ask(REQUEST, NEVER);
  // The first look has found no answer: from now on only the answer itself ends the wait.
  const id = await firstPending(queue);
  await new Promise(setImmediate);
  assert.equal(await queue.answer(id, YES), true);
  assert.deepEqual(await asked, YES);
});

test("of two answers the first counts, and the second call returns false", async () => {
  const collections = createMemoryCollections();
  const queue = createApprovalQueue(collections, { pollMs: 1 });
  const asked = queue.approver.ask(REQUEST, NEVER);
  const id = await firstPending(queue);
  const settled = await Promise.all([queue.answer(id, NO), queue.answer(id, YES)]);
  assert.deepEqual(settled, [true, false]);
  assert.deepEqual(await asked, NO);
  assert.equal(await queue.answer(id, YES), false);
});

test("a cancelled request cannot be answered", async () => {
  const queue = createApprovalQueue(createMemoryCollections(), { pollMs: 1 });
  const cancel = new AbortController();
  const asked = queue.approver.ask(REQUEST, cancel.signal);
  const id = await firstPending(queue);
  cancel.abort();
  assert.equal((await asked).approved, false);
  assert.equal(await queue.answer(id, YES), false);
  assert.deepEqual(await queue.pending(), []);
});

test("a request of a process that has ended is not pending and cannot be answered", async () => {
  const collections = createMemoryCollections();
  const owner = { pid: 2 ** 22 + 1, start: "1", boot: null };
  const document = { state: "pending", request: {}, askedAt: 1, owner };
  await collections.open("approvals").set("dead", document);
  const queue = createApprovalQueue(collections);
  assert.deepEqual(await queue.pending(), []);
  assert.equal(await queue.answer("dead", YES), false);
  assert.equal(await queue.answer("none", YES), false);
});

test("secrets are masked in stored requests", async () => {
  const collections = createMemoryCollections();
  const mask = (text: string): string => text.replaceAll("hunter2hunter2", "***");
  const queue = createApprovalQueue(collections, { pollMs: 1, mask });
  const asked = queue.approver.ask(REQUEST, NEVER);
  const id = await firstPending(queue);
  assert.equal((await queue.pending())[0]?.request.input["command"], "curl -H ***");
  await queue.answer(id, NO);
  await asked;
});

test("in a sealed queue an approval counts only with a signature of this request, as it was shown", async () => {
  const collections = createMemoryCollections();
  const seal = {
    sign: (text: string): string => `signed ${text}`,
    verify: (text: string, signature: string): boolean => signature === `signed ${text}`,
  };
  const here = createApprovalQueue(collections, { pollMs: 1, seal, mask: (text) => `${text}!` });
  const ask = async (answer: (id: string) => Promise<unknown>): Promise<Approval> => {
    const asked = here.approver.ask(REQUEST, NEVER);
    await answer(await firstPending(here));
    return asked;
  };
  const requests = collections.open("approvals");
  const change = (id: string, more: JsonObject): Promise<unknown> =>
    requests.update(id, (value) => (isObject(value) ? { ...value, ...more } : value));
  const unsigned = createApprovalQueue(collections);
  assert.match(JSON.stringify(await ask((id) => unsigned.answer(id, YES))), /false.*not signed/);
  const forged = {
    state: "answered",
    approval: { approved: true, scope: "once" },
    signature: "signed",
    isOwn: true,
  };
  assert.equal((await ask((id) => change(id, forged))).approved, false);
  const misleading = async (id: string): Promise<unknown> => {
    await change(id, { request: { tool: "shell", input: { command: "ls" } } });
    return here.answer(id, YES);
  };
  assert.equal((await ask(misleading)).approved, false);
  assert.deepEqual(await ask((id) => here.answer(id, YES)), YES);
});

const TWO: ApprovalRequest = {
  ...REQUEST,
  subject: "ada",
  approvers: [{ groups: ["dba"], count: 2, notSelf: true }],
};
const by = (id: string, ...groups: string[]): Approval => ({
  ...YES,
  approvers: [{ id, groups, roles: [] }],
});

test("a request that names its approvers waits for enough different ones of them, from any process", async () => {
  const collections = createMemoryCollections();
  const queues = [1, 2, 3].map(() => createApprovalQueue(collections, { pollMs: 1 })) as [
    ApprovalQueue,
    ApprovalQueue,
    ApprovalQueue,
  ];
  const asked = queues[0].approver.ask(TWO, NEVER);
  const id = await firstPending(queues[1]);
  for (const wrong of [YES, by("eve", "dev"), by("ada", "dba")])
    await assert.rejects(queues[1].answer(id, wrong), { code: "DENIED" });
  assert.equal(await queues[1].answer(id, by("bob", "dba")), true);
  assert.deepEqual((await queues[2].pending())[0]?.approvedBy, ["bob"]);
  await assert.rejects(queues[2].answer(id, by("bob", "dba")), /have approved this call already/);
  assert.equal(await queues[2].answer(id, by("cat", "dba")), true);
  const answer = await asked;
  assert.ok(answer.approved);
  assert.deepEqual(
    answer.approvers?.map((one) => one.id),
    ["bob", "cat"],
  );
  assert.equal(answer.by, "bob, cat");
});

test("one denial ends a request that has been approved by one of two", async () => {
  const queue = createApprovalQueue(createMemoryCollections(), { pollMs: 1 });
  const asked = queue.approver.ask(TWO, NEVER);
  const id = await firstPending(queue);
  await queue.answer(id, by("bob", "dba"));
  assert.equal(await queue.answer(id, NO), true);
  assert.deepEqual(await asked, NO);
});

test("an answer does not count for a request that was changed in the store", async () => {
  const collections = createMemoryCollections();
  const queue = createApprovalQueue(collections, { pollMs: 1 });
  const asked = queue.approver.ask(REQUEST, NEVER);
  const id = await firstPending(queue);
  await collections
    .open("approvals")
    .update(id, (value) =>
      isObject(value) ? { ...value, request: { ...(value["request"] as JsonObject), input: {} } } : value,
    );
  await queue.answer(id, YES);
  assert.match(JSON.stringify(await asked), /false.*changed in the store/);
});

test("where answers are signed, an approval that was written into the store does not count as one of two", async () => {
  const collections = createMemoryCollections();
  const seal = {
    sign: (text: string) => `s${text.length}`,
    verify: (text: string, s: string) => s === `s${text.length}`,
  };
  const queue = createApprovalQueue(collections, { pollMs: 1, seal });
  void queue.approver.ask(TWO, NEVER);
  const id = await firstPending(queue);
  const given = [{ approval: by("bob", "dba") as unknown as JsonObject, signature: "forged" }];
  await collections.open("approvals").update(id, (value) => (isObject(value) ? { ...value, given } : value));
  assert.equal(await queue.answer(id, by("cat", "dba")), true);
  assert.deepEqual((await queue.pending())[0]?.approvedBy, ["cat"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { isObject } from "../../core/json.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { createApprovalQueue } from "./approval-queue.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: "make" },
  facts: [],
  reason: "it is not proven to only read",
  hash: "h",
};
const NEVER = new AbortController().signal;
const PARKED = AbortSignal.abort();
const YES: Approval = { approved: true, scope: "once" };

/** Two processes with one store; `park` asks and leaves at once, and returns the id of the request. */
function open() {
  const collections = createMemoryCollections();
  const queue = createApprovalQueue(collections, { pollMs: 1 });
  const park = async (request: ApprovalRequest, caller = "c"): Promise<string> => {
    let found = "";
    const late = { caller, signal: PARKED };
    const answer = await queue.approver.ask(request, NEVER, (id) => (found = id), late);
    assert.equal(answer.approved, false);
    return found;
  };
  return { collections, queue, park };
}

test("the same call of a caller finds its request; one of which a person would be shown something else asks anew", async () => {
  const { park, queue } = open();
  const id = await park(REQUEST);
  assert.equal(await park({ ...REQUEST, callId: "2", session: "another process" }), id);
  const inner = await park({ ...REQUEST, parentId: "3" });
  assert.equal(await park({ ...REQUEST, callId: "4.1", parentId: "4" }), inner);
  const others = [
    await park(REQUEST, "d"),
    await park({ ...REQUEST, hash: "i" }),
    await park({ ...REQUEST, folder: "/other" }),
    await park({ ...REQUEST, subject: "ann" }),
    await park({ ...REQUEST, reason: "it writes to /etc" }),
    await park({ ...REQUEST, grant: { decision: "allow", tool: "shell" } }),
    await park({ ...REQUEST, offers: [{ scope: "always", label: "make", rule: { decision: "allow" } }] }),
  ];
  assert.equal(new Set([id, inner, ...others]).size, 9);
  assert.equal((await queue.pending()).length, 9);
});

test("a parked request has one answer, for one call", async () => {
  const { park, queue } = open();
  const id = await park(REQUEST);
  assert.equal(await queue.answer(id, YES), true);
  assert.equal(await queue.answer(id, YES), false);
  const found = { caller: "c", signal: NEVER };
  assert.deepEqual(await queue.approver.ask(REQUEST, NEVER, undefined, found), YES);
  assert.notEqual(await park(REQUEST), id);
});

test("of two equal calls that were parked at once one stays in the queue", async () => {
  const { queue } = open();
  const late = new AbortController();
  const parking = { caller: "c", signal: late.signal };
  const asked = [1, 2].map(() => queue.approver.ask(REQUEST, NEVER, undefined, parking));
  while ((await queue.pending()).length < 2) await new Promise(setImmediate);
  late.abort();
  await Promise.all(asked);
  assert.equal((await queue.pending()).length, 1);
});

test("the answer to another request is no answer, whatever the store says", async () => {
  const { park, queue, collections } = open();
  const harmless = await park({ ...REQUEST, hash: "ls", input: { command: "ls" } });
  await queue.answer(harmless, YES);
  await park(REQUEST);
  const pointers = collections.open("parked-approvals");
  for (const { key } of await pointers.list()) await pointers.set(key, harmless);
  const late = { caller: "c", signal: PARKED };
  assert.equal((await queue.approver.ask(REQUEST, NEVER, undefined, late)).approved, false);
});

test("a request stays for a time only", async () => {
  const { park, queue, collections } = open();
  const id = await park(REQUEST);
  await collections
    .open("approvals")
    .update(id, (value) => (isObject(value) ? { ...value, parkedUntil: 1 } : value));
  assert.deepEqual(await queue.pending(), []);
  assert.equal(await queue.answer(id, YES), false);
  assert.notEqual(await park(REQUEST), id);
});

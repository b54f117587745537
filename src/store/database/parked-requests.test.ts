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

test("an answer that came while an equal call waited is for the next call, and is not lost", async () => {
  const { queue, park } = open();
  const late = new AbortController();
  const second = Promise.withResolvers<string>();
  const parking = { caller: "c", signal: late.signal };
  // Not yet parked, so that the second call does not find it.
  const asked = queue.approver.ask(REQUEST, NEVER, second.resolve, parking);
  await second.promise;
  const first = await park(REQUEST);
  assert.equal(await queue.answer(first, YES), true);
  late.abort();
  const answer = await asked;
  assert.match(answer.approved ? "" : (answer.hint ?? ""), new RegExp(first));
  assert.deepEqual(await queue.pending(), []);
  assert.deepEqual(await queue.approver.ask(REQUEST, NEVER, undefined, { caller: "c", signal: NEVER }), YES);
});

test("a request of which the store shows something else than the call is not the request of the call", async () => {
  const { park, collections } = open();
  const id = await park(REQUEST);
  for (const shown of [
    { input: { command: "ls" } },
    { risk: "low" },
    { facts: [{ kind: "host", host: "a" }] },
  ]) {
    const requests = collections.open("approvals");
    const before = await requests.get(id);
    const other = { ...REQUEST, ...shown, callId: "1" } as never;
    await requests.update(id, (value) => (isObject(value) ? { ...value, request: other } : value));
    assert.notEqual(await park(REQUEST), id);
    await requests.set(id, before ?? null);
    const pointers = collections.open("parked-approvals");
    for (const { key } of await pointers.list()) await pointers.set(key, id);
    assert.equal(await park(REQUEST), id);
  }
});

test("what a command is said to be for, and a log that grows, do not make another request", async () => {
  const { park } = open();
  const withSize = (description: string, size: number): ApprovalRequest => ({
    ...REQUEST,
    input: { command: "gzip a.log", description },
    facts: [
      { kind: "command", text: "gzip a.log", cwd: "/w" },
      { kind: "path", path: "/w/a.log", access: "read", inode: 1, size },
    ],
  });
  assert.equal(await park(withSize("a", 1)), await park(withSize("b", 2)));
});

test("a question of a running tool is not left behind by its caller", async () => {
  const { queue } = open();
  const call = new AbortController();
  const asking = { ...REQUEST, question: { text: "Overwrite?" } };
  const stored = Promise.withResolvers<string>();
  const asked = queue.approver.ask(asking, call.signal, stored.resolve, {
    caller: "c",
    signal: PARKED,
  });
  assert.equal(await queue.answer(await stored.promise, YES), true);
  assert.deepEqual(await asked, YES);
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

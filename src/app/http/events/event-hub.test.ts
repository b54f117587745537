import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Caller } from "../../host/people/caller.ts";
import type { ApiEvent } from "../api/routes.ts";
import { createEventHub, streamEvents } from "./event-hub.ts";

const ADMIN: Caller = { name: "the admin token", rights: ["read", "admin"], ceilings: [] };
const bob = { id: "bob", groups: ["dba"], roles: [] };
const BOB: Caller = { name: "bob", rights: ["own", "approve"], subject: bob, ceilings: [] };

function waiting(callId: string, more: Partial<ApprovalRequest>): ApiEvent {
  const request = { callId, tool: "t", input: {}, facts: [], reason: "", risk: "low", hash: "", ...more };
  return { type: "approval.pending", at: 1, approval: { id: callId, request } } as unknown as ApiEvent;
}

/** Returns what a caller receives of these events, by type and id. */
async function received(caller: Caller, query: object, events: readonly ApiEvent[]): Promise<string[]> {
  const [hub, ended] = [createEventHub(), new AbortController()];
  // Stored for who comes later.
  hub.listen(() => undefined, undefined).close();
  const after = hub.lastId();
  for (const event of events) hub.emit(event);
  const response = streamEvents(hub, { ...query, after, caller }, ended.signal);
  ended.abort();
  const lines = (await response.text()).matchAll(/^data: (.*)$/gm);
  return [...lines].slice(1).map(([, data = ""]) => {
    const { type, id, approval } = JSON.parse(data) as {
      type: string;
      id?: string;
      approval?: { id: string };
    };
    return `${type} ${id ?? approval?.id}`;
  });
}

test("a stream of one call has the approvals of that call and of those that it makes, and of no other", async () => {
  const events = ["a", "a.1", "b"].map((id) => waiting(id, {}));
  assert.deepEqual(await received(ADMIN, { callId: "a" }, events), [
    "approval.pending a",
    "approval.pending a.1",
  ]);
  assert.equal((await received(ADMIN, {}, events)).length, 3);
});

test("a person who may approve a call learns that it waits, and that it waits no longer", async () => {
  const events: readonly ApiEvent[] = [
    waiting("a", { subject: "ada", approvers: [{ groups: ["dba"] }] }),
    waiting("b", { subject: "ada", approvers: [{ groups: ["web"] }] }),
    waiting("c", { subject: "ada" }),
    { type: "approval.closed", at: 2, id: "a" },
  ];
  assert.deepEqual(await received(BOB, {}, events), ["approval.pending a", "approval.closed a"]);
});

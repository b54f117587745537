// Approvals that another process answers, and grants that outlive the engine: both are in the store.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, object, string } from "toolwright";
import { createApprovalQueue, createStoredGrants, openStore } from "toolwright/store";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string() }),
  risk: "high",
  run: ({ service }) => `${service} is deployed`,
});

const folder = mkdtempSync(join(tmpdir(), "toolwright-queue-"));
const store = await openStore({ folder });
const queue = createApprovalQueue(store.collections);
const grants = createStoredGrants(store.collections, folder);
const engine = createEngine({ tools: [deploy], approver: queue.approver, grants });

const running = engine.run({ id: "1", name: "deploy", input: { service: "shop" } });
// Any process that opens the store sees the request, and `toolwright approve` does.
let pending = await queue.pending();
while (pending.length === 0) pending = await queue.pending();
const [question] = pending;
assert.ok(question);
console.log(question.request.tool, question.request.input);
await queue.answer(question.id, { approved: true, scope: "always" });
assert.ok((await running).ok);
await engine.close();

// The grant is stored: the same call of another engine needs no approval.
const later = createEngine({ tools: [deploy], grants: createStoredGrants(store.collections, folder) });
assert.ok((await later.run({ id: "2", name: "deploy", input: { service: "shop" } })).ok);
await later.close();
await store.close();
rmSync(folder, { recursive: true });

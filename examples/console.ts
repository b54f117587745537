// The web console for an engine of your own: its calls as they happen, and the questions that wait for a person.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, object, string } from "toolwright";
import { serveConsole } from "toolwright/console";
import { createApprovalQueue, openStore } from "toolwright/store";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string() }),
  risk: "high",
  run: ({ service }) => `${service} is deployed`,
});

const folder = mkdtempSync(join(tmpdir(), "toolwright-console-"));
const store = await openStore({ folder });
const queue = createApprovalQueue(store.collections);
const { journal, artifacts } = store;
const engine = createEngine({ tools: [deploy], approver: queue.approver, journal, artifacts });

const served = await serveConsole(engine, { store });
console.log(`open ${served.address.replace(/token=.*/, "token=…")}`);

// A person approves this on the page Approvals; here, the program presses the button itself.
const running = engine.run({ id: "1", name: "deploy", input: { service: "shop" } });
const { origin, searchParams } = new URL(served.address);
const headers = {
  authorization: `Bearer ${searchParams.get("token")}`,
  "content-type": "application/json",
};
let waiting: { readonly id: string }[] = [];
while (waiting.length === 0) {
  const answer = await fetch(`${origin}/api/approvals`, { headers });
  waiting = ((await answer.json()) as { approvals: typeof waiting }).approvals;
}
const body = JSON.stringify({ choice: "once" });
await fetch(`${origin}/api/approvals/${waiting[0]?.id}`, { method: "POST", headers, body });
assert.ok((await running).ok);

await served.close();
await engine.close();
await store.close();
rmSync(folder, { recursive: true });

import { join } from "node:path";
import { openStore } from "../../src/store/open-store.ts";
import { currentProcess } from "../../src/system/process/identity.ts";

/** Calls of this very process that wait for an answer. */
export async function queueApprovals(home: string, ids: readonly string[]): Promise<void> {
  const store = await openStore({ folder: join(home, "state") });
  const request = { callId: "1", tool: "shell", risk: "high", input: {}, facts: [], reason: "", hash: "" };
  const document = { state: "pending", askedAt: Date.now(), owner: { ...currentProcess() }, request };
  for (const id of ids) await store.collections.open("approvals").set(id, document);
  await store.close();
}

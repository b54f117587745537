import { join } from "node:path";
import type { ApprovalRequest } from "../../../src/core/approval.ts";
import type { Json } from "../../../src/core/json.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { currentProcess } from "../../../src/system/process/identity.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: {},
  facts: [],
  reason: "",
  hash: "",
};

/** Calls of this very process that wait for an answer. */
export async function queueApprovals(
  home: string,
  ids: readonly string[],
  request: ApprovalRequest = REQUEST,
): Promise<void> {
  const store = await openStore({ folder: join(home, "state") });
  const document = {
    state: "pending",
    askedAt: Date.now(),
    owner: { ...currentProcess() },
    request: request as unknown as Json,
  };
  for (const id of ids) await store.collections.open("approvals").set(id, document);
  await store.close();
}

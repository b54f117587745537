export type { ApprovalQueue, PendingApproval, QueueOptions } from "../store/database/approval-queue.ts";
export { createApprovalQueue } from "../store/database/approval-queue.ts";
export { createStoredGrants } from "../store/database/grants.ts";
export { openStore } from "../store/open-store.ts";

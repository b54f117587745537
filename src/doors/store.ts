export type { ApprovalQueue, PendingApproval, QueueOptions } from "../store/approval-queue.ts";
export { createApprovalQueue } from "../store/approval-queue.ts";
export { createKeptGrants } from "../store/grants.ts";
export { openStore } from "../store/open-store.ts";

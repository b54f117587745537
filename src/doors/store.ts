export type {
  ApprovalQueue,
  PendingApproval,
  QueueOptions,
  Seal,
  QueuedApprover,
} from "../store/database/approval-queue.ts";
export type { Parking } from "../store/database/parked-requests.ts";
export { createApprovalQueue } from "../store/database/approval-queue.ts";
export { createStoredGrants } from "../store/database/grants.ts";
export { openStore } from "../store/open-store.ts";
export type { StoreOptions } from "../store/open-store.ts";
export type { CountedCalls, FigureCell, Figures, FiguresQuery, UsageCell } from "../store/figures/figures.ts";
export type { Store } from "../store/replaceable-store.ts";

import type { Approver } from "../../../core/approval.ts";

/** Approves every request; what policy denies never becomes a request. */
export const allowAll: Approver = {
  ask: () => Promise.resolve({ approved: true, scope: "once" }),
};

/** Denies every request, with a hint how to allow the call: for use without a terminal. */
export function createHeadlessApprover(): Approver {
  return {
    ask: () =>
      Promise.resolve({
        approved: false,
        reason: "there is no terminal to ask on",
        hint:
          "to allow it, add --yes for this call, --queue to wait for toolwright approve, " +
          "or --mode yolo to run every call without approval",
      }),
  };
}

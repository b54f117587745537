import type { Approver } from "../../../core/approval.ts";

/** Approves every request. Calls that policy denies are never requested. */
export const allowAll: Approver = {
  ask: () => Promise.resolve({ approved: true, scope: "once" }),
};

/** Denies every request, with a hint how to allow the call. */
export function createHeadlessApprover(): Approver {
  return {
    ask: () =>
      Promise.resolve({
        approved: false,
        reason: "there is no terminal to prompt on",
        hint:
          "to allow it, add --yes for this call, --queue to wait for toolwright approve, " +
          "or --mode yolo to allow every call",
      }),
  };
}

import type { Approver } from "../../../core/approval.ts";

/** Says yes to what is asked; what policy denies never gets here. */
export const allowAll: Approver = {
  ask: () => Promise.resolve({ approved: true, scope: "once" }),
};

/** Says no where nobody can be asked, and how the call could be allowed. */
export function createHeadlessApprover(): Approver {
  return {
    ask: () =>
      Promise.resolve({
        approved: false,
        reason: "there is no terminal to ask on",
        hint:
          "to allow it, add --yes for this call, --queue to wait for toolwright approve, " +
          "or --mode yolo to be asked about nothing",
      }),
  };
}

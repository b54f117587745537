import type { Approval, Approver } from "../../../core/approval.ts";

type Denial = Extract<Approval, { readonly approved: false }>;

/** Returns the answer of a person who does not allow a call, with the reason they gave. */
export function declined(reason = ""): Denial {
  return { approved: false, reason, declined: true };
}

/** Returns the denial of a call for which there is no valid answer. */
export function refused(reason: string): Denial {
  return { approved: false, reason, hint: "nothing was run" };
}

/** Returns the answer of a person who left without one. */
export function dismissed(reason = "the question was dismissed"): Denial {
  return { ...refused(reason), dismissed: true };
}

/** Returns an approver whose answers name who gave them, for the record of the call. */
export function answeredBy(by: string, approver: Approver): Approver {
  return { ...approver, ask: async (request, signal) => ({ by, ...(await approver.ask(request, signal)) }) };
}

/** Returns an approver that denies every request, with a hint how to allow the call. */
export function denyAll(reason: string, hint: string): Approver {
  return { ask: () => Promise.resolve({ approved: false, reason, hint }) };
}

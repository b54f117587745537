import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";

/** An approver that records the requests that it decided. */
export interface FakeApprover extends Approver {
  /** In the order in which they were asked. */
  readonly requests: readonly ApprovalRequest[];
}

/** Creates an approver that decides at once: with a function, or else approves everything, each time. */
export function createFakeApprover(
  decide: (request: ApprovalRequest) => boolean | Approval = () => true,
): FakeApprover {
  const requests: ApprovalRequest[] = [];
  return {
    requests,
    async ask(request) {
      requests.push(request);
      const decision = decide(request);
      if (typeof decision !== "boolean") return decision;
      return decision
        ? { approved: true, scope: "once" }
        : { approved: false, reason: "refused by the test" };
    },
  };
}

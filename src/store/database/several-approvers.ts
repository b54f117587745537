import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import type { Subject } from "../../core/subject.ts";
import { describeApprovers, mayApprove, missingApprovers } from "../../util/people/match-people.ts";

/** An approval as stored; in a store that others can write to, with its signature. */
export interface GivenApproval {
  readonly approval: Approval;
  readonly signature?: string;
}

/**
 * Returns the answer to a request whose rules may name its approvers: a denial as it is, an approval with the people of the earlier ones;
 * undefined if more people must approve. Throws `DENIED` for an approval that does not count.
 */
export function withEarlier(
  { approvers: demands, subject }: ApprovalRequest,
  earlier: readonly GivenApproval[],
  approval: Approval,
): Approval | undefined {
  if (demands === undefined || !approval.approved) return approval;
  const own = approval.approvers ?? [];
  const counts = own.some((one) => demands.some((demand) => mayApprove(demand, one, subject)));
  const before = approversOf(earlier);
  if (!counts)
    throw new ToolError(
      "DENIED",
      `only ${demands.map(describeApprovers).join("; and ")} can approve this call`,
      {
        hint: "one of them approves it at the server, logged in with a personal token",
      },
    );
  if (own.every(({ id }) => before.some((one) => one.id === id)))
    throw new ToolError("DENIED", "you have approved this call already; another person must approve it too");
  const approvers = [...before, ...own];
  if (missingApprovers(demands, approvers, subject) !== undefined) return undefined;
  return { ...approval, approvers, by: approvers.map(({ id }) => id).join(", ") };
}

/** Returns the people of approvals, each once. */
export function approversOf(given: readonly GivenApproval[]): readonly Subject[] {
  const all = given.flatMap(({ approval }) => (approval.approved ? (approval.approvers ?? []) : []));
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { Json } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { describeApprovers, missingApprovers } from "../../util/people/match-people.ts";
import type { CallState } from "../call/call-state.ts";

type Approved = Extract<Approval, { readonly approved: true }>;
type Denial = Exclude<Approval, Approved>;

/** Returns why an approval is not enough: its tool has changed, or the rules of the call name other approvers; undefined if it is. */
export function unmetDemand(
  state: CallState,
  request: ApprovalRequest,
  { input, approvers = [] }: Approved,
): Denial | undefined {
  const { approvers: demands, subject } = request;
  const changed = changedTool(state, request);
  if (changed !== undefined || demands === undefined) return changed;
  const unmet = missingApprovers(demands, approvers, subject);
  if (unmet !== undefined)
    return {
      approved: false,
      reason: `its rule demands the approval of ${describeApprovers(unmet)}`,
      hint: "one of them approves it at the server, logged in with a personal token",
    };
  if (input === undefined) return undefined;
  return { approved: false, reason: "the approval is for exactly this call, and cannot change its input" };
}

/** Returns whether the rules still name the approvers that they named when the call was suspended. */
export function hasSameApprovers(
  { approvers: now = [] }: Pick<ApprovalRequest, "approvers">,
  { approvers: then = [] }: Pick<ApprovalRequest, "approvers">,
): boolean {
  return hashOf(now as unknown as Json) === hashOf(then as unknown as Json);
}

/** Returns why an approval is for another tool than the one that has the name now; undefined if it is for this one. */
function changedTool({ engine }: CallState, { tool: name, definition }: ApprovalRequest): Denial | undefined {
  const current = engine.registry.find(name)?.entry.tool;
  if (definition === undefined || (current !== undefined && definitionOf(current) === definition))
    return undefined;
  return {
    approved: false,
    reason: `the definition of "${name}" has changed since`,
    hint: "run the call again to get a new approval",
  };
}

/** Returns the hash of what a tool says of itself. */
export function definitionOf({ name, source, description, input, risk, effects, place }: Tool): string {
  return hashOf([name, source, description, input, risk, effects, place ?? null]);
}

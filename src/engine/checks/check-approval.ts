import { isObject } from "../../core/json.ts";
import { isUser } from "../../util/json/check-options.ts";
import { describeValue } from "../../util/json/describe-value.ts";

const SCOPES: ReadonlySet<unknown> = new Set([undefined, "once", "session", "always"]);

/**
 * Returns what is wrong with a decision on a call; undefined if it is one. An approver, a form or a stored document may return
 * anything: only `approved: true` approves a call, and only a scope that exists.
 */
export function approvalProblem(approval: unknown): string | undefined {
  if (typeof approval !== "object" || approval === null) return NO_DECISION;
  const { approved, by, scope, offer, input, approvers } = approval as Readonly<Record<string, unknown>>;
  if (approved === false) return undefined;
  if (approved !== true) return NO_DECISION;
  if (!SCOPES.has(scope)) return `its scope is ${describeValue(scope)}, not once, session or always`;
  if (by !== undefined && typeof by !== "string") return `its by is ${describeValue(by)}, not a text`;
  if (offer !== undefined && !Number.isInteger(offer))
    return `its offer is ${describeValue(offer)}, not an index`;
  if (approvers !== undefined && !(Array.isArray(approvers) && approvers.every(isUser)))
    return `its approvers are ${describeValue(approvers)}, not a list of people`;
  if (input !== undefined && !isObject(input)) return `its input is ${describeValue(input)}, not an object`;
  return undefined;
}

const NO_DECISION = "it has neither approved: true nor approved: false";

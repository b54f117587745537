import { RISKS } from "../../core/spec.ts";
import type { Verdict } from "../../core/verdict.ts";
import { isTexts } from "../../util/json/check-options.ts";
import { describeValue, ignoreRejection } from "../../util/json/describe-value.ts";

/**
 * Returns the verdict of a policy, or a deny in place of anything else: what no check here knows must not run a call.
 * A member that restricts the run is checked too, because an unknown value of it would restrict nothing.
 */
export function checkVerdict(returned: unknown): Verdict {
  if (isVerdict(returned)) return returned;
  ignoreRejection(returned);
  return {
    kind: "deny",
    reason: `the policy returned no verdict: ${problemOf(returned)}`,
    rule: "no-verdict",
    hint: 'its judge must return { kind, reason, rule } at once, with the kind "allow", "ask" or "deny"',
  };
}

function isVerdict(returned: unknown): returned is Verdict {
  if (typeof returned !== "object" || returned === null) return false;
  const { kind, reason, rule, place, isConfined, isGuarded, proven, risk, approvers }: Untrusted = returned;
  return (
    (kind === "allow" || kind === "ask" || kind === "deny") &&
    typeof reason === "string" &&
    typeof rule === "string" &&
    (place === undefined || place === "sandbox") &&
    isFlag(isConfined) &&
    isFlag(isGuarded) &&
    (approvers === undefined || Array.isArray(approvers)) &&
    (proven === undefined || isTexts(proven)) &&
    isRiskOrNone(risk)
  );
}

type Untrusted = { readonly [K in keyof Verdict]?: unknown };

/** Names the first member that is wrong. */
function problemOf(returned: unknown): string {
  const isPlain = typeof returned === "object" && returned !== null && !("then" in returned);
  if (!isPlain) return describeValue(returned);
  for (const [name, value] of Object.entries(returned)) {
    const valid = { kind: "deny", reason: "", rule: "" };
    if (!isVerdict({ ...valid, [name]: value })) return `its ${name} is ${describeValue(value)}`;
  }
  const missing = ["kind", "reason", "rule"].find((name) => !Object.hasOwn(returned, name));
  return `it has no ${missing}`;
}

function isFlag(value: unknown): boolean {
  return value === undefined || value === true;
}

function isRiskOrNone(value: unknown): boolean {
  return value === undefined || RISKS.some((risk) => risk === value);
}

import type { Approval } from "../../core/approval.ts";
import { isObject } from "../../core/json.ts";

/** Returns the decision in a value that a program has resumed the SDK's run with: `{ approved, reason }`, or an `Approval`. Anything else declines. */
export function toDecision(value: unknown): Approval {
  if (!isObject(value) || value["approved"] !== true) {
    const reason = isObject(value) ? value["reason"] : undefined;
    return { approved: false, declined: true, reason: typeof reason === "string" ? reason : "" };
  }
  const { scope, input, offer } = value;
  return {
    approved: true,
    scope: scope === "session" || scope === "always" ? scope : "once",
    ...(isObject(input) && { input }),
    ...(typeof offer === "number" && { offer }),
  };
}

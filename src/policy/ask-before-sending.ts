import { UNTRUSTED_TEXT } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Limits } from "./layers/limits.ts";
import type { Subject } from "./match/subject.ts";
import { narrowestGrant } from "./narrowest-grant.ts";
import { findAllowingRule } from "./protect/find-allowing-rule.ts";
import { wayOut } from "./protect/ways-out.ts";

/**
 * Returns the question about a call that can send data while text from outside is in the session: the text may have asked for it. Only a rule or a grant
 * that was made for this suppresses it.
 */
export function askBeforeSending(subject: Subject, limits: Limits): Verdict | undefined {
  const { untrusted, sandbox, rules, grants } = limits;
  if (untrusted === undefined || sandbox?.isConfined(subject.job) === true) return undefined;
  const way = wayOut(subject);
  if (way === undefined || grants.exact() !== undefined) return undefined;
  // Grants that were made before the text came are left out by the engine.
  const made = [...rules[0].allow.filter(({ rule }) => rule.afterUntrustedText === true), ...grants.rules()];
  if (findAllowingRule(made, subject, limits) !== undefined) return undefined;
  const { grant: rule } = narrowestGrant(subject, limits.knowledge, { isExact: false });
  const grant = rule && { grant: { ...rule, afterUntrustedText: true } };
  return {
    kind: "ask",
    reason: `${way}, and ${listOrigins(untrusted)} is in this session and may have asked for it`,
    rule: UNTRUSTED_TEXT,
    hint: 'allow it with a rule that has "afterUntrustedText": true, or see the setting afterUntrustedText',
    ...grant,
  };
}

function listOrigins(origins: readonly string[]): string {
  const [first = "text from outside", ...others] = origins;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

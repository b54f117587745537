import type { Bounds } from "./layers/bounds.ts";
import type { CompiledRule } from "./match/compile-rule.ts";
import { likenessOf } from "./match/likeness.ts";
import type { Restrictions } from "./layers/rule-set.ts";
import type { Subject } from "./match/subject.ts";

/** The rules of one decision that bear on a call: one that surely matches, else one that perhaps does. */
export interface FoundRules {
  readonly certain?: CompiledRule;
  readonly possible?: CompiledRule;
}

const NOTHING: FoundRules = Object.freeze({});

/** Looks through the denies, or the asks, of every layer and ceiling. */
export function findRule(decision: "deny" | "ask", subject: Subject, bounds: Bounds): FoundRules {
  let possible: CompiledRule | undefined;
  for (const set of bounds.rules) {
    for (const rule of concerning(subject, set[decision])) {
      const likeness = likenessOf(rule, subject);
      if (likeness === "certain") return { certain: rule };
      if (likeness === "possible") possible ??= rule;
    }
  }
  return possible === undefined ? NOTHING : { possible };
}

/** Leaves out what surely does not match: rules about a program that the call would not start. */
function concerning({ commands, programs }: Subject, rules: Restrictions): readonly CompiledRule[] {
  if (commands.length === 0) return rules.withoutCommand;
  return programs === undefined ? rules.all : rules.forPrograms(programs);
}

/** What a rule is about, and why it is there, for people. */
export function describeRule({ rule, id }: CompiledRule): string {
  return rule.reason ?? `the rule ${id}`;
}

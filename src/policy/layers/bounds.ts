import type { Grant } from "../../core/grant.ts";
import type { Circumstances, Mode } from "../../core/policy.ts";
import type { Risk } from "../../core/spec.ts";
import type { CommandKnowledge } from "../../shell/command-knowledge.ts";
import type { CompiledRule, RuleSetting } from "../match/compile-rule.ts";
import { compileRule } from "../match/compile-rule.ts";
import type { ToolRules } from "./rule-set.ts";

/** Everything that one call is judged by. */
export interface Bounds {
  /** The policy's own, then those of each ceiling, which allow nothing. */
  readonly rules: readonly [ToolRules, ...ToolRules[]];
  /** All that hold; the strictest decides. */
  readonly modes: readonly Mode[];
  readonly risk: Risk;
  readonly workspace: readonly string[];
  /** Folders that are asked about like the files that run code; folded. */
  readonly protectedFolders: readonly string[];
  readonly knowledge: CommandKnowledge | undefined;
  /** False where a ceiling does not have the tool. */
  readonly mayRun: boolean;
  /** What proves to read only runs without a question. */
  readonly readingIsFree: boolean;
  readonly grants: Grants;
}

/** What was granted before, as far as it concerns the call. */
export interface Grants {
  /** As rules that allow. */
  rules(): readonly CompiledRule[];
  /** The grant of this very call. */
  exact(): Grant | undefined;
}

/** Compiles each grant once, for as long as somebody holds it, and only where its tool is called. */
export function createGrants(setting: RuleSetting): (tool: string, circumstances: Circumstances) => Grants {
  const known = new WeakMap<Grant, CompiledRule>();
  const compile = (grant: Grant): readonly CompiledRule[] => {
    const { rule, id, scope } = grant;
    if (rule === undefined || rule.decision !== "allow") return [];
    const found = known.get(grant) ?? compileRule(rule, `grant.${id}`, scope, setting);
    known.set(grant, found);
    return [found];
  };
  return (tool, { grants = NONE, hash }) => {
    if (grants.length === 0) return NO_GRANTS;
    const own = grants.filter((grant) => grant.tool === tool);
    return {
      rules: () => own.flatMap(compile),
      exact() {
        const wanted = own.length === 0 ? undefined : hash?.();
        return wanted === undefined ? undefined : own.find((grant) => grant.hash === wanted);
      },
    };
  };
}

const NONE: readonly Grant[] = Object.freeze([]);
const NO_GRANTS: Grants = { rules: () => [], exact: () => undefined };

import type { Rule } from "../../core/rule.ts";
import type { Tool } from "../../core/tool.ts";
import type { CompiledRule, RuleSetting } from "../match/compile-rule.ts";
import { compileRule } from "../match/compile-rule.ts";
import type { RuleLayer } from "./rule-layer.ts";

/** The rules that may hold for one tool. */
export interface ToolRules {
  readonly deny: Restrictions;
  readonly ask: Restrictions;
  readonly allow: readonly CompiledRule[];
  /** True where a deny or an ask may hold for a call that touches nothing. */
  readonly mayTightenAny: boolean;
}

/** Rules that only tighten. */
export interface Restrictions {
  readonly all: readonly CompiledRule[];
  /** Those that may hold for a call without a command: most calls have none, and most rules are about one. */
  readonly withoutCommand: readonly CompiledRule[];
  /** Those that may hold where nothing but these programs is started, in their order. */
  forPrograms(programs: readonly string[]): readonly CompiledRule[];
}

/** Rules of several layers, to be looked up by tool. */
export interface RuleSet {
  forTool(tool: Tool): ToolRules;
}

/** Compiles all rules once; which of them concern a tool is worked out at its first call. */
export function createRuleSet(layers: readonly RuleLayer[], setting: RuleSetting): RuleSet {
  const rules = layers.flatMap((layer) => compileLayer(layer, setting));
  const known = new WeakMap<Tool, ToolRules>();
  return {
    forTool(tool) {
      const found = known.get(tool);
      if (found !== undefined) return found;
      const own = sortOut(rules.filter((rule) => rule.appliesTo(tool)));
      known.set(tool, own);
      return own;
    },
  };
}

/** How a rule is called that has no name of its own: its layer, and its place there. */
export function idOf({ id }: Rule, layer: string, index: number): string {
  return id ?? `${layer}.rules[${index}]`;
}

function compileLayer({ name, rules, mayAllow }: RuleLayer, setting: RuleSetting): readonly CompiledRule[] {
  return rules
    .map((rule, index) => compileRule(rule, idOf(rule, name, index), name, setting))
    .filter(({ rule }) => mayAllow || rule.decision !== "allow");
}

function sortOut(rules: readonly CompiledRule[]): ToolRules {
  const those = (decision: Rule["decision"]): readonly CompiledRule[] =>
    rules.filter(({ rule }) => rule.decision === decision);
  const [deny, ask] = [those("deny"), those("ask")];
  const mayTightenAny = [...deny, ...ask].some(
    ({ rule: { path, command, domain } }) =>
      path === undefined && command === undefined && domain === undefined,
  );
  return { deny: restrict(deny), ask: restrict(ask), allow: those("allow"), mayTightenAny };
}

function restrict(all: readonly CompiledRule[]): Restrictions {
  const choose = (programs: readonly string[]): readonly CompiledRule[] =>
    all.filter(({ program }) => program === undefined || programs.includes(program));
  const others = choose([]);
  const named = new Set(all.map(({ program }) => program));
  const known = new Map<string, readonly CompiledRule[]>();
  return {
    all,
    withoutCommand: all.filter(({ rule }) => rule.command === undefined),
    forPrograms(programs) {
      const [only = ""] = programs;
      if (programs.length > 1) return choose(programs);
      if (!named.has(only)) return others;
      const found = known.get(only) ?? choose(programs);
      known.set(only, found);
      return found;
    },
  };
}

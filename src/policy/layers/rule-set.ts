import type { Rule } from "../../core/rule.ts";
import type { Subject } from "../../core/subject.ts";
import type { Tool } from "../../core/tool.ts";
import { CompiledRule, type Restrictions, type RuleContext } from "../match/compile-rule.ts";
import type { RuleLayer } from "./rule-layer.ts";

/** The rules that can match calls of one tool. */
export interface ToolRules {
  readonly deny: Restrictions;
  readonly ask: Restrictions;
  readonly allow: readonly CompiledRule[];
  /** The rules that name who approves. */
  readonly demands: readonly CompiledRule[];
  /** True if a deny or an ask can match a call without facts. */
  readonly restrictsAnyCall: boolean;
}

/** The rules of several layers, by tool. */
export interface RuleSet {
  /** Returns the rules that can match calls of a tool by a user; undefined: a user who is not known. */
  forTool(tool: Tool, user: Subject | undefined): ToolRules;
}

/** The number of users whose rules are selected once, and not again for each call. */
const USERS = 1000;

/** Compiles all rules once; the rules of a tool are selected at its first call. */
export function createRuleSet(layers: readonly RuleLayer[], context: RuleContext): RuleSet {
  const rules = layers.flatMap((layer) => compileLayer(layer, context));
  if (rules.length === 0) return { forTool: () => NO_RULES };
  const ofEveryone = createToolRules(rules);
  if (!rules.some(({ namesPeople }) => namesPeople)) return { forTool: ofEveryone };
  const ofUsers = new Map<string, (tool: Tool) => ToolRules>();
  return {
    forTool(tool, user) {
      // By its content: a program may change the lists of a user.
      const key = user === undefined ? "" : JSON.stringify([user.id, user.groups, user.roles]);
      let own = ofUsers.get(key);
      if (own === undefined) {
        if (ofUsers.size >= USERS) ofUsers.clear();
        own = createToolRules(
          rules.flatMap((rule) => (rule.namesPeople ? (rule.forUser(user) ?? []) : rule)),
        );
        ofUsers.set(key, own);
      }
      return own(tool);
    },
  };
}

function createToolRules(rules: readonly CompiledRule[]): (tool: Tool) => ToolRules {
  const known = new WeakMap<Tool, ToolRules>();
  return (tool) => {
    const knownRules = known.get(tool);
    if (knownRules !== undefined) return knownRules;
    const own = groupByDecision(rules.filter((rule) => rule.appliesTo(tool)));
    known.set(tool, own);
    return own;
  };
}

/** Returns the id of a rule; by default its layer and index. */
export function idOf({ id }: Rule, layer: string, index: number): string {
  return id ?? `${layer}.rules[${index}]`;
}

function compileLayer({ name, rules, mayAllow }: RuleLayer, context: RuleContext): readonly CompiledRule[] {
  return rules
    .map((rule, index) => new CompiledRule(rule, idOf(rule, name, index), name, context))
    .filter(({ decision }) => mayAllow || decision !== "allow");
}

function groupByDecision(rules: readonly CompiledRule[]): ToolRules {
  const having = (decision: Rule["decision"]): readonly CompiledRule[] =>
    rules.filter((rule) => rule.decision === decision);
  const [deny, ask] = [having("deny"), having("ask")];
  const restrictsAnyCall = [...deny, ...ask].some(({ isWhole }) => isWhole);
  return {
    deny: restrict(deny),
    ask: restrict(ask),
    allow: having("allow"),
    demands: ask.filter(({ rule }) => rule.approvers !== undefined),
    restrictsAnyCall,
  };
}

function restrict(all: readonly CompiledRule[]): Restrictions {
  const choose = (programs: readonly string[]): readonly CompiledRule[] =>
    all.filter(({ program }) => program === undefined || programs.includes(program));
  const others = choose([]);
  const named = new Set(all.map(({ program }) => program));
  const known = new Map<string, readonly CompiledRule[]>();
  return {
    all,
    withoutCommand: all.filter(({ tokens }) => tokens === undefined),
    forPrograms(programs) {
      const [only = ""] = programs;
      if (programs.length > 1) return choose(programs);
      if (!named.has(only)) return others;
      const programRules = known.get(only) ?? choose(programs);
      known.set(only, programRules);
      return programRules;
    },
  };
}

const NO_RULES = groupByDecision([]);

import type { Ceiling, Circumstances, Mode } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { Tool } from "../../core/tool.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import type { RuleContext } from "../match/compile-rule.ts";
import { allowedRisks, strictestModes, type AllowedRisks } from "./modes.ts";
import { createRuleSet, type RuleSet } from "./rule-set.ts";

/** A ceiling or the rules of a session, ready for matching. A ceiling can only make verdicts stricter. */
interface CompiledCeiling {
  readonly source: Ceiling | undefined;
  readonly mode: Mode | undefined;
  readonly rules: RuleSet;
  readonly mayRun: (tool: Tool) => boolean;
}

/** The modes and ceilings that apply to a call, whatever it does. */
export interface Scope {
  /** The policy's own modes and those of the ceilings. */
  readonly modes: readonly Mode[];
  /** The risks of calls that run without approval. */
  readonly allowed: AllowedRisks;
  readonly ceilings: readonly CompiledCeiling[];
}

/** Returns the scope of a list of ceilings and the rules of a session. */
export type ScopeOf = (circumstances: Circumstances) => Scope;

/** Creates a function that compiles each ceiling and each list of ceilings once: a caller passes the same list for all of its calls. */
export function createScopes(modes: readonly Mode[], context: RuleContext): ScopeOf {
  const compiled = new WeakMap<Ceiling, CompiledCeiling>();
  const scopes = new WeakMap<readonly Ceiling[], Scope>();
  const compileOnce = (ceiling: Ceiling): CompiledCeiling => {
    const compiledCeiling = compiled.get(ceiling) ?? compile(ceiling, context);
    compiled.set(ceiling, compiledCeiling);
    return compiledCeiling;
  };
  const create = (ceilings: readonly CompiledCeiling[]): Scope => {
    const all = strictestModes([...modes, ...ceilings.flatMap(({ mode }) => mode ?? [])]);
    return { modes: all, allowed: allowedRisks(all), ceilings };
  };
  const unlimited = create([]);
  const ofSessions = new WeakMap<readonly Rule[], CompiledCeiling>();
  const withRules = (scope: Scope, rules: readonly Rule[] | undefined): Scope => {
    if (rules === undefined) return scope;
    const compiledCeiling = ofSessions.get(rules) ?? compileSession(rules, context);
    ofSessions.set(rules, compiledCeiling);
    return { ...scope, ceilings: [compiledCeiling, ...scope.ceilings] };
  };
  const limitedBy = (ceilings: readonly Ceiling[] | undefined): Scope => {
    if (ceilings === undefined || ceilings.length === 0) return unlimited;
    const scope = scopes.get(ceilings);
    // The list may have been changed since.
    const isSame =
      scope?.ceilings.length === ceilings.length &&
      scope.ceilings.every(({ source }, index) => source === ceilings[index]);
    if (scope !== undefined && isSame) return scope;
    const created = create(ceilings.map(compileOnce));
    scopes.set(ceilings, created);
    return created;
  };
  return ({ ceilings, rules }) => withRules(limitedBy(ceilings), rules);
}

function compileSession(rules: readonly Rule[], context: RuleContext): CompiledCeiling {
  const set = createRuleSet([{ name: "session", rules, mayAllow: true }], context);
  return { source: undefined, mode: undefined, rules: set, mayRun: () => true };
}

function compile(source: Ceiling, context: RuleContext): CompiledCeiling {
  const { mode, tools, rules = [] } = source;
  const patterns = tools?.map(starPattern);
  return {
    source,
    mode,
    rules: createRuleSet([{ name: "ceiling", rules, mayAllow: false }], context),
    mayRun: ({ name }) => patterns === undefined || patterns.some((matches) => matches(name)),
  };
}

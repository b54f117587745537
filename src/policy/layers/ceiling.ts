import { starPattern } from "../../util/text/name-pattern.ts";
import type { Ceiling, Mode } from "../../core/policy.ts";
import type { Tool } from "../../core/tool.ts";
import type { RuleSetting } from "../match/compile-rule.ts";
import type { RuleSet } from "./rule-set.ts";
import { createRuleSet } from "./rule-set.ts";

/** A ceiling that is ready to be asked. It has nothing in it that could loosen. */
export interface CompiledCeiling {
  readonly source: Ceiling;
  readonly mode: Mode | undefined;
  readonly rules: RuleSet;
  readonly mayRun: (tool: Tool) => boolean;
}

/** Compiles each ceiling once, for as long as somebody holds it. */
export function createCeilings(setting: RuleSetting): (ceiling: Ceiling) => CompiledCeiling {
  const known = new WeakMap<Ceiling, CompiledCeiling>();
  return (ceiling) => {
    const found = known.get(ceiling) ?? compile(ceiling, setting);
    known.set(ceiling, found);
    return found;
  };
}

function compile(source: Ceiling, setting: RuleSetting): CompiledCeiling {
  const { mode, tools, rules = [] } = source;
  const patterns = tools?.map(starPattern);
  return {
    source,
    mode,
    rules: createRuleSet([{ name: "ceiling", rules, mayAllow: false }], setting),
    mayRun: ({ name }) => patterns === undefined || patterns.some((matches) => matches(name)),
  };
}

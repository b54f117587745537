import type { Mode, Policy } from "../../../core/policy.ts";
import type { Rule } from "../../../core/rule.ts";
import { DISASTER_RULES } from "../../../shell/programs/disasters/disaster-rules.ts";
import { createPolicy } from "../../../policy/policy.ts";
import type { Commands } from "../../../shell/command-knowledge.ts";

export interface BuiltInPolicyOptions {
  readonly mode?: Mode;
  readonly workspace?: readonly string[];
  /** Over the built-in ones. */
  readonly rules?: readonly Rule[];
  /** What `~` stands for in rules and commands. */
  readonly home: string;
}

/** The built-in rules, those that are given, and commands read. */
export function createBuiltInPolicy(options: BuiltInPolicyOptions, commands: Commands): Policy {
  const { mode = "auto", workspace = [], rules = [], home } = options;
  return createPolicy({
    mode,
    workspace,
    home,
    commands,
    layers: [
      { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
      { name: "host", rules, mayAllow: true },
    ],
  });
}

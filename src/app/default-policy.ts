import type { Mode, Policy } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import { DISASTER_RULES } from "../policy/command/programs/disaster-rules.ts";
import { createPolicy } from "../policy/policy.ts";
import { createPolicyCommands } from "./policy-commands.ts";

export interface DefaultPolicyOptions {
  readonly mode?: Mode;
  readonly workspace?: readonly string[];
  /** Over the built-in ones. */
  readonly rules?: readonly Rule[];
  /** What `~` stands for in rules and commands. */
  readonly home: string;
}

/** The policy without any file: the built-in rules, those that are given, and commands read. */
export function createDefaultPolicy(options: DefaultPolicyOptions): Policy {
  const { mode = "auto", workspace = [], rules = [], home } = options;
  return createPolicy({
    mode,
    workspace,
    home,
    commands: createPolicyCommands(home),
    layers: [
      { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
      { name: "host", rules, mayAllow: true },
    ],
  });
}

import { loadShellParser } from "./load-shell-parser.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { ResolvePath } from "../../engine/types/run-options.ts";
import { resolveTarget } from "../../system/paths/paths.ts";
import { createPolicy } from "../../policy/policy.ts";
import type { Commands } from "../../shell/syntax/command-knowledge.ts";
import { flagsOf } from "../../shell/programs/canonical-flags.ts";
import { DISASTER_RULES } from "../../shell/programs/disasters/disaster-rules.ts";
import { findDisaster } from "../../shell/programs/disasters/disasters.ts";
import { describeCommand } from "../../shell/programs/describe-command.ts";
import { createCommandReader } from "../../shell/reader.ts";

export interface DefaultPolicyOptions {
  readonly mode?: Mode;
  readonly workspace?: readonly string[];
  /** Rules of the host program, above the built-in ones. */
  readonly rules?: readonly Rule[];
  /** What `~` stands for in rules and commands. */
  readonly home: string;
}

/** Creates the policy of a library user: the built-in rules and those that are given, no files. Throws on an invalid rule. */
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

/** Creates the command readers with the tables of programs. The bash parser is loaded by the first text that needs it. */
export function createPolicyCommands(userHome: string): Commands {
  const reader = createCommandReader({
    home: userHome,
    loadParser: loadShellParser,
  });
  return {
    knowledge: { describe: describeCommand, flags: flagsOf, disaster: findDisaster },
    read: (fact) => reader.read(fact),
  };
}

/** Returns the canonical target of a path that a command names. */
export const resolveCommandPath: ResolvePath = ({ text, cwd, access }) =>
  resolveTarget(text, { cwd, access });

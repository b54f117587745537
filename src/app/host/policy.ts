import type { Mode, Policy } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import { createPolicy } from "../../policy/policy.ts";
import type { Commands } from "../../shell/syntax/command-knowledge.ts";
import { flagsOf } from "../../shell/programs/canonical-flags.ts";
import { DISASTER_RULES } from "../../shell/programs/disasters/disaster-rules.ts";
import { findDisaster } from "../../shell/programs/disasters/disasters.ts";
import { describeCommand } from "../../shell/programs/describe-command.ts";
import { createCommandReader } from "../../shell/reader.ts";
import type { Config } from "../config/config.ts";
import type { PolicyFiles } from "../config/files/policy-files.ts";
import { readPolicyFiles } from "../config/files/policy-files.ts";
import type { Trust } from "../config/files/trust.ts";

/** The rules in force for a config, and how commands are read. */
export interface ConfiguredRules extends PolicyFiles {
  readonly commands: Commands;
}

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

/** Creates the policy of a config: its mode, its workspace and the rules of all layers. */
export function createConfiguredPolicy(config: Config, { layers, commands }: ConfiguredRules): Policy {
  const { mode, workspace, userHome, home, store, shell } = config;
  return createPolicy({
    mode,
    workspace,
    home: userHome,
    layers,
    commands,
    readOnlyShellIsLow: shell.readOnlyIsLow,
    protectedFolders: store === ":memory:" ? [home] : [home, store],
  });
}

/**
 * Reads the rules in force for a config. Never rejects because of a file: a refused file is a problem in the result. A rule of
 * the project that allows counts only if `trust` has exactly its content.
 */
export async function readConfiguredRules(
  config: Config,
  trust: Trust | undefined,
): Promise<ConfiguredRules> {
  const { home, userHome, workspace } = config;
  const commands = createPolicyCommands(userHome);
  const files = await readPolicyFiles({
    home,
    userHome,
    workspace,
    commands,
    builtIn: DISASTER_RULES,
    isTrusted: (name, content) => trust?.isTrustedContent("rule", name, content) === true,
    modeIsChosen: isModeChosen(config),
  });
  return { ...files, commands };
}

/** Returns true if a flag or an environment variable sets the mode: then the modes in rule files do not count. */
function isModeChosen({ origins }: Config): boolean {
  const from = origins.find(({ key }) => key === "mode")?.from ?? "";
  return from.startsWith("flag ") || from.startsWith("environment ");
}

/** Creates the command readers with the tables of programs. The bash parser is loaded by the first text that needs it. */
export function createPolicyCommands(userHome: string): Commands {
  const reader = createCommandReader({
    home: userHome,
    loadParser: async () => (await import("./load-shell-parser.ts")).loadShellParser(),
  });
  return {
    knowledge: { describe: describeCommand, flags: flagsOf, disaster: findDisaster },
    read: (fact) => reader.read(fact),
  };
}

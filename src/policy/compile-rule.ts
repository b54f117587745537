import { ToolError } from "../core/errors.ts";
import type { Rule } from "../core/rule.ts";
import type { Tool } from "../core/tool.ts";
import type { CommandKnowledge } from "./command-knowledge.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { compileCommand } from "./command-pattern.ts";
import type { HostPattern } from "./match-host.ts";
import { compileHosts } from "./match-host.ts";
import { compileName, escapePattern } from "./match-name.ts";
import type { PathBases, PathPattern } from "./match-path.ts";
import { compileAllowedPaths, compileRestrictedPaths } from "./match-path.ts";

/** A rule that is ready to be asked. */
export interface CompiledRule {
  readonly id: string;
  readonly layer: string;
  readonly rule: Rule;
  readonly paths: PathPattern | undefined;
  readonly command: CommandPattern | undefined;
  readonly hosts: HostPattern | undefined;
  /** Its conditions on tool, source and group. */
  appliesTo(tool: Tool): boolean;
}

/** What rules are compiled against. */
export interface RuleSetting extends PathBases {
  readonly knowledge: CommandKnowledge | undefined;
}

/** Makes a rule ready. Throws `INVALID_INPUT`, naming the rule, on a pattern that cannot be read. */
export function compileRule(rule: Rule, id: string, layer: string, setting: RuleSetting): CompiledRule {
  const { tool, source, group, path, command, domain, decision } = rule;
  const names = tool === undefined ? undefined : listOf(tool).map(toolPattern);
  const compilePaths = decision === "allow" ? compileAllowedPaths : compileRestrictedPaths;
  let compiledCommand: CommandPattern | undefined;
  return {
    id,
    layer,
    rule,
    paths: path === undefined ? undefined : tryTo(id, path, () => compilePaths(listOf(path), setting)),
    // At first use: it needs the tables of programs, and most calls have no command.
    get command() {
      if (command === undefined) return undefined;
      compiledCommand ??= compileCommand(command, rule.exact === true, setting.knowledge);
      return compiledCommand;
    },
    hosts: domain === undefined ? undefined : compileHosts(listOf(domain)),
    appliesTo: (one) =>
      (names === undefined || namesOf(one).some((name) => names.some((matches) => matches(name)))) &&
      (source === undefined || one.source === source) &&
      (group === undefined || one.group === group),
  };
}

/** One or several, as several. */
export function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

/** The names of tools that a rule may give; `*` stands for any part of a name. */
export function toolPattern(pattern: string): (name: string) => boolean {
  const compiled = compileName(escapePattern(pattern).replaceAll(String.raw`\*`, "*"));
  return (name) => compiled.matches(name);
}

/** A tool answers to its aliases too: a rule about one of them is about the tool. */
function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name))];
}

function tryTo<T>(id: string, path: string | readonly string[], compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      "INVALID_INPUT",
      `rule ${id}: the path ${JSON.stringify(path)} is no pattern: ${why}`,
      {
        cause: error,
      },
    );
  }
}

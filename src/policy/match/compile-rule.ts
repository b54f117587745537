import { ToolError } from "../../core/errors.ts";
import type { Rule } from "../../core/rule.ts";
import type { Tool } from "../../core/tool.ts";
import type { CommandKnowledge } from "../../shell/command-knowledge.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { compileCommand, programOf } from "./command-pattern.ts";
import type { HostPattern } from "./match-host.ts";
import { compileHosts } from "./match-host.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import type { PathBases, PathPattern } from "./match-path.ts";
import { compileAllowedPaths, compileRestrictedPaths } from "./match-path.ts";

/** What rules are compiled against. */
export interface RuleSetting extends PathBases {
  readonly knowledge: CommandKnowledge | undefined;
}

/** A rule that is ready to be asked. A class, so that all rules have one shape: every call looks at many of them. */
export class CompiledRule {
  readonly id: string;
  readonly layer: string;
  readonly rule: Rule;
  readonly access: Rule["access"];
  readonly input: Rule["input"];
  readonly isExact: boolean;
  /** The folded base name of the program that its command condition names. */
  readonly program: string | undefined;
  readonly paths: PathPattern | undefined;
  readonly hosts: HostPattern | undefined;
  private readonly names: readonly ((name: string) => boolean)[] | undefined;
  readonly knowledge: CommandKnowledge | undefined;
  private knownCommand: CommandPattern | undefined = undefined;

  constructor(rule: Rule, id: string, layer: string, setting: RuleSetting) {
    const { tool, path, command, domain, decision } = rule;
    const compilePaths = decision === "allow" ? compileAllowedPaths : compileRestrictedPaths;
    this.id = id;
    this.layer = layer;
    this.rule = rule;
    this.access = rule.access;
    this.input = rule.input;
    this.isExact = rule.exact === true;
    this.program = command === undefined ? undefined : programOf(command);
    this.paths = path === undefined ? undefined : tryTo(id, path, () => compilePaths(listOf(path), setting));
    this.hosts = domain === undefined ? undefined : compileHosts(listOf(domain));
    this.names = tool === undefined ? undefined : listOf(tool).map(starPattern);
    this.knowledge = setting.knowledge;
  }

  /** Compiled at first use: it needs the tables of programs, and most calls have no command. */
  get command(): CommandPattern | undefined {
    const { command } = this.rule;
    if (command === undefined) return undefined;
    return (this.knownCommand ??= compileCommand(command, this.isExact, this.knowledge));
  }

  /** Its conditions on tool, source and group. */
  appliesTo(tool: Tool): boolean {
    const { source, group } = this.rule;
    return (
      (this.names === undefined ||
        namesOf(tool).some((name) => this.names?.some((matches) => matches(name)) === true)) &&
      (source === undefined || tool.source === source) &&
      (group === undefined || tool.group === group)
    );
  }
}

/** Makes a rule ready. Throws `INVALID_INPUT`, naming the rule, on a pattern that cannot be read. */
export function compileRule(rule: Rule, id: string, layer: string, setting: RuleSetting): CompiledRule {
  return new CompiledRule(rule, id, layer, setting);
}

/** One or several, as several. */
export function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
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

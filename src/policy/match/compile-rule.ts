import { ToolError } from "../../core/errors.ts";
import { DECISIONS, type Rule } from "../../core/rule.ts";
import type { Subject } from "../../core/subject.ts";
import { namesOfTool, type Tool } from "../../core/tool.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { listOf } from "./list-of.ts";
import { compileCommand, programOf, type CommandPattern } from "./match-command.ts";
import {
  compileAllowedHosts,
  compileRestrictedHosts,
  type HostPattern,
} from "../../util/text/host/host-pattern.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { describePeople, matchUser } from "../../util/people/match-people.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import {
  compileAllowedPaths,
  compileRestrictedPaths,
  type PathBases,
  type PathPattern,
} from "./match-path.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The name of the layer of rules that are always in force. */
export const BUILT_IN = "built-in";

/** What patterns in rules are relative to, and the program tables. */
export interface RuleContext extends PathBases {
  readonly knowledge: CommandKnowledge | undefined;
  /** The only folder in which its command condition matches. */
  readonly folder?: string | undefined;
  /** Default: certain. */
  readonly byUser?: "certain" | "possible";
}

/** A rule, ready for matching. A class, so that all rules share one hidden class: every call reads many of them. */
export class CompiledRule {
  readonly id: string;
  readonly layer: string;
  readonly rule: Rule;
  readonly decision: Rule["decision"];
  readonly access: Rule["access"];
  readonly input: Rule["input"];
  readonly isExact: boolean;
  /** It has no condition on paths, commands or hosts. */
  readonly isWhole: boolean;
  /** It denies a command, and is not built in: then text that is only known at run time may be that command. */
  readonly deniesUnknown: boolean;
  /** Its command condition, as written. */
  readonly tokens: Rule["command"];
  /** The folded base name of the program in it. */
  readonly program: string | undefined;
  readonly paths: PathPattern | undefined;
  readonly hosts: HostPattern | undefined;
  private readonly names: readonly ((name: string) => boolean)[] | undefined;
  /** `possible` if it is not known whether the user of the call is one whose calls it matches. */
  readonly byUser: "certain" | "possible";
  readonly knowledge: CommandKnowledge | undefined;
  readonly folder: string | undefined;
  private readonly context: RuleContext;
  private cachedCommand: CommandPattern | undefined = undefined;

  /** Throws `INVALID_INPUT`, naming the rule, if one of its patterns is invalid. */
  constructor(rule: Rule, id: string, layer: string, context: RuleContext) {
    const { tool, path, command, domain, decision, approvers } = rule;
    // A rule with another decision would match nothing: what it should deny would run.
    if (!DECISIONS.includes(decision))
      throw unknownName(
        `rule ${id}: unknown decision ${JSON.stringify(decision)}`,
        decision,
        DECISIONS,
        `use ${DECISIONS.join(", ")}`,
      );
    if (approvers !== undefined && decision !== "ask")
      throw new ToolError("INVALID_INPUT", `rule ${id}: only a rule that asks can name its approvers`);
    checkPeople(rule, id);
    const compilePaths = decision === "allow" ? compileAllowedPaths : compileRestrictedPaths;
    this.id = id;
    this.layer = layer;
    this.rule = rule;
    this.decision = decision;
    this.access = rule.access;
    this.input = rule.input;
    this.isExact = rule.exact === true;
    this.isWhole = path === undefined && command === undefined && domain === undefined;
    this.deniesUnknown = decision === "deny" && command !== undefined && layer !== BUILT_IN;
    this.tokens = command;
    this.program = command === undefined ? undefined : programOf(command);
    this.paths =
      path === undefined ? undefined : orInvalid(id, path, () => compilePaths(listOf(path), context));
    const compileHosts = decision === "allow" ? compileAllowedHosts : compileRestrictedHosts;
    this.hosts = domain === undefined ? undefined : compileHosts(listOf(domain));
    this.names = tool === undefined ? undefined : listOf(tool).map(starPattern);
    this.byUser = context.byUser ?? "certain";
    this.context = context;
    this.knowledge = context.knowledge;
    this.folder = rule.folder ?? context.folder;
  }

  /** Compiled on first use: it needs the program tables, and most calls have no command. */
  get command(): CommandPattern | undefined {
    if (this.tokens === undefined) return undefined;
    return (this.cachedCommand ??= compileCommand(this.tokens, this.isExact, this.knowledge));
  }

  /** True if it depends on the user of the call. */
  get namesPeople(): boolean {
    return this.rule.who !== undefined || this.rule.except !== undefined;
  }

  /** Returns the rule as it matches calls of a user; undefined if it matches none. */
  forUser(user: Subject | undefined): CompiledRule | undefined {
    const match = matchUser(this.rule, user);
    if (match === "none") return undefined;
    if (match === "certain") return this;
    return new CompiledRule(this.rule, this.id, this.layer, { ...this.context, byUser: match });
  }

  /** Checks its conditions on tool, source and group. */
  appliesTo(tool: Tool): boolean {
    const { source, group } = this.rule;
    return (
      (this.names === undefined ||
        namesOfTool(tool).some((name) => this.names?.some((matches) => matches(name)) === true)) &&
      (source === undefined || tool.source === source) &&
      (group === undefined || tool.group === group)
    );
  }
}

/** Compiled deny or ask rules. */
export interface Restrictions {
  readonly all: readonly CompiledRule[];
  /** Those that can match a call without a command: most calls have none, and most rules are about one. */
  readonly withoutCommand: readonly CompiledRule[];
  /** Those that can match if only these programs are started, in order. */
  forPrograms(programs: readonly string[]): readonly CompiledRule[];
}

/** Throws on people who would be nobody, and on a count that no approval or none would meet: such a rule would deny nobody, or demand no approver. */
function checkPeople({ who, except, approvers }: Rule, id: string): void {
  for (const [key, people] of Object.entries({ who, except }))
    if (people !== undefined && describePeople(people) === undefined)
      throw new ToolError("INVALID_INPUT", `rule ${id}: ${key}: expected people, groups or roles`);
  const { count = 1 } = approvers ?? {};
  if (!Number.isInteger(count) || count < 1)
    throw new ToolError("INVALID_INPUT", `rule ${id}: approvers.count: expected 1 or more, got ${count}`);
}

function orInvalid<T>(id: string, path: string | readonly string[], compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    const why = errorMessage(error);
    throw new ToolError("INVALID_INPUT", `rule ${id}: invalid path pattern ${JSON.stringify(path)}: ${why}`, {
      cause: error,
    });
  }
}

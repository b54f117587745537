import type { Rule } from "../core/rule.ts";
import type { CommandKnowledge } from "../shell/syntax/command-knowledge.ts";
import type { CommandPart } from "./match/command-part.ts";
import { escapePattern } from "../util/text/name-pattern.ts";
import type { PathView } from "./match/match-path.ts";
import type { CommandView } from "./match/command-view.ts";
import type { Subject } from "./match/subject.ts";

/** The rule that "always" would save, or why none is offered. */
export type Offer = { readonly grant: Rule } | { readonly ungrantable: string };

/**
 * Returns the narrowest useful rule that allows the call: a command literally, the paths of a file tool, the hosts of a
 * web tool, an MCP tool, or else exactly this input. With `isExact`, the rule matches only the same call.
 */
export function narrowestGrant(
  subject: Subject,
  knowledge: CommandKnowledge | undefined,
  { isExact }: { readonly isExact: boolean },
): Offer {
  const { job, paths, commands, hosts, isMcp } = subject;
  const tool = job.tool.name;
  const [command] = commands;
  if (command !== undefined) return commandGrant(subject, command, knowledge);
  const isOfOneKind = Number(paths.length > 0) + Number(hosts.length > 0) + Number(isMcp) === 1;
  if (!isExact && isOfOneKind) {
    const access = accessOf(paths);
    if (isMcp) return { grant: { tool, decision: "allow" } };
    if (hosts.length > 0) return { grant: { tool, domain: [...new Set(hosts)], decision: "allow" } };
    if (access !== undefined)
      return { grant: { tool, path: literalPaths(paths), access, decision: "allow" } };
  }
  return { grant: { tool, input: job.input, exact: true, decision: "allow" } };
}

const NOT_PROVEN = "the effect of the command is not proven";

function commandGrant(
  { job, commands, paths }: Subject,
  { certainty, parts }: CommandView,
  knowledge: CommandKnowledge | undefined,
): Offer {
  const [part, ...others] = parts;
  if (knowledge === undefined || certainty !== "proven" || part === undefined) return refuse(NOT_PROVEN);
  if (commands.length > 1 || others.length > 0)
    return refuse("it is a list of commands, and a rule names one command; each can be granted separately");
  const why = whyUngrantable(part);
  if (why !== undefined) return refuse(why);
  const { words, redirects } = part.command;
  const rule = {
    tool: job.tool.name,
    command: words.map(({ text }) => text),
    exact: true,
    decision: "allow",
  } as const;
  if (!redirects.some(({ access }) => access === "write")) return { grant: rule };
  const writes = paths.filter(({ access }) => access === "write");
  if (writes.length === 0 || writes.some((view) => view.isSuspected)) return refuse(NOT_PROVEN);
  return { grant: { ...rule, path: literalPaths(writes), access: "write" } };
}

function whyUngrantable({ command, traits }: CommandPart): string | undefined {
  const { words, assignments } = command;
  const [program] = words;
  if (program === undefined) return "it starts no program that a rule could name";
  if (assignments.length > 0) return "it sets environment variables, which can change what runs";
  if (program.text.includes("=")) return NOT_PROVEN;
  if (traits?.ungrantable !== undefined) return traits.ungrantable;
  return traits?.isPlainName === true ? undefined : "its program is a file, which may change";
}

function refuse(ungrantable: string): Offer {
  return { ungrantable };
}

/** Returns the access that all paths have in common, unless a path is only suspected. */
function accessOf(paths: readonly PathView[]): Rule["access"] {
  const [first] = paths;
  const isSame = paths.every((view) => !view.isSuspected && view.access === first?.access);
  return isSame ? first?.access : undefined;
}

function literalPaths(paths: readonly PathView[]): string | readonly string[] {
  const [only, ...others] = paths;
  if (only !== undefined && others.length === 0) return escapePattern(only.path);
  return [...new Set(paths.map(({ path }) => escapePattern(path)))];
}

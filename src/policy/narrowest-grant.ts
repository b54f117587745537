import type { Rule } from "../core/rule.ts";
import type { CommandKnowledge } from "../shell/syntax/command-knowledge.ts";
import type { CommandPart } from "./match/command-part.ts";
import { escapePattern } from "../util/text/name-pattern.ts";
import type { PathView } from "./match/match-path.ts";
import type { CommandView } from "./match/command-view.ts";
import type { Subject } from "./match/subject.ts";

/** The rule that "always" would save; nothing if no rule describes the call. */
export interface Offer {
  readonly grant?: Rule;
}

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

/** Returns nothing for what no rule describes: a person can still allow the same words in the same folder, for the session. */
function commandGrant(
  { job, commands, paths }: Subject,
  { certainty, parts }: CommandView,
  knowledge: CommandKnowledge | undefined,
): Offer {
  const [part, ...others] = parts;
  if (knowledge === undefined || certainty !== "proven" || part === undefined) return {};
  if (commands.length + others.length > 1 || !isNameable(part)) return {};
  const { words, redirects } = part.command;
  const rule = {
    tool: job.tool.name,
    command: words.map(({ text }) => text),
    exact: true,
    decision: "allow",
  } as const;
  if (!redirects.some(({ access }) => access === "write")) return { grant: rule };
  const writes = paths.filter(({ access }) => access === "write");
  if (writes.length === 0 || writes.some((view) => view.isSuspected)) return {};
  return { grant: { ...rule, path: literalPaths(writes), access: "write" } };
}

/** Returns true for a program that does what its arguments say, whatever files there are. */
function isNameable({ command, traits }: CommandPart): boolean {
  const [program] = command.words;
  if (program === undefined || program.text.includes("=") || command.assignments.length > 0) return false;
  return traits?.ungrantable === undefined && traits?.isPlainName === true;
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

import type { SimpleCommand } from "../../core/command.ts";
import type { CommandPart } from "../match/command-part.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { readHost, type Host } from "../../util/text/host/host.ts";
import type { HostPattern } from "../../util/text/host/host-pattern.ts";
import { hostsIn } from "../match/hosts-in.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { matchInput } from "../match/match-input.ts";
import { matchLiterally } from "../match/match-command.ts";
import type { PathView } from "../match/match-path.ts";
import { staysInside, type Subject } from "../match/subject.ts";

/** What allow rules are evaluated with. */
export interface AllowContext {
  readonly knowledge: CommandKnowledge | undefined;
  readonly workspace: readonly string[];
  /** Parts of a command that are proven read-only need no rule. */
  readonly readingIsFree: boolean;
}

/**
 * Returns the rule that allows the call: together the rules must cover everything the call would do. A rule without
 * `path`, `command` and `domain` covers all of it; others cover what they name. Returns the first rule that covers a part.
 */
export function findAllowingRule(
  rules: readonly CompiledRule[],
  subject: Subject,
  context: AllowContext,
): CompiledRule | undefined {
  if (subject.commands.length > 0) return allowCommands(rules, subject, context);
  for (const rule of rules) if (rule.isWhole && holds(rule, subject)) return rule;
  return subject.isMcp ? undefined : allowFacts(rules, subject);
}

function allowFacts(rules: readonly CompiledRule[], subject: Subject): CompiledRule | undefined {
  let first: CompiledRule | undefined;
  for (const view of subject.paths) {
    const allowing = rules.find((rule) => coversPath(rule, view) && holds(rule, subject));
    if (allowing === undefined) return undefined;
    first ??= allowing;
  }
  for (const host of subject.hosts) {
    const hostRule = rules.find((rule) => rule.hosts?.(host) === true && holds(rule, subject));
    if (hostRule === undefined) return undefined;
    first ??= hostRule;
  }
  return first;
}

/** Returns true if an allow rule names this path, which may be outside the workspace. */
export function allowsPath(
  rules: readonly CompiledRule[],
  view: PathView,
  subject: Subject,
  workspace: readonly string[],
): boolean {
  return rules.some(
    (rule) =>
      coversPath(rule, view) &&
      applies(rule, subject) &&
      (rule.tokens === undefined || subject.parts.some((part) => isCommandOf(rule, part, workspace))),
  );
}

function isCommandOf(rule: CompiledRule, part: CommandPart, workspace: readonly string[]): boolean {
  return rule.knowledge !== undefined && coversPart(rule, part, rule.knowledge, workspace);
}

/** Checks the conditions without which a rule covers nothing. If it names paths and more, every path of the call must match. */
function holds(rule: CompiledRule, subject: Subject): boolean {
  const { tokens, paths, hosts, access } = rule;
  if (!applies(rule, subject)) return false;
  if (paths === undefined || (tokens === undefined && hosts === undefined)) return true;
  const own = subject.paths.filter((view) => access === undefined || view.access === access);
  return own.length > 0 && own.every((view) => coversPath(rule, view));
}

/** Checks the input, that a call without a command matches no rule about one, and the hosts of a rule that names more. */
function applies(rule: CompiledRule, subject: Subject): boolean {
  const { tokens, paths, hosts } = rule;
  if (!holdsInput(rule, subject)) return false;
  if (tokens !== undefined) return subject.commands.length > 0;
  return hosts === undefined || paths === undefined || reachesOnly(hosts, subject.hosts);
}

function reachesOnly(matches: HostPattern, hosts: readonly (string | Host)[]): boolean {
  return hosts.length > 0 && hosts.every(matches);
}

function holdsInput({ input, isExact }: CompiledRule, { job }: Subject): boolean {
  return input === undefined || matchInput(job.input, input, isExact);
}

function coversPath({ paths, access }: CompiledRule, view: PathView): boolean {
  return (access === undefined || access === view.access) && paths?.matches(view) === true;
}

function allowCommands(
  rules: readonly CompiledRule[],
  subject: Subject,
  context: AllowContext,
): CompiledRule | undefined {
  const { knowledge, workspace, readingIsFree } = context;
  const { commands, parts, paths, hosts, isMcp } = subject;
  if (knowledge === undefined || !commands.every((view) => view.certainty === "proven")) return undefined;
  const able = rules.filter((rule) => holds(rule, subject));
  const covering = parts.map((part) => able.find((rule) => coversPart(rule, part, knowledge, workspace)));
  const first =
    covering.find((rule) => rule !== undefined) ??
    (parts.some(isBareRedirect) ? able.find((rule) => rule.paths !== undefined) : undefined);
  const isNamed = (host: string): boolean => able.some((rule) => rule.hosts?.(host) === true);
  if (!able.some((rule) => rule.isWhole) && (isMcp || !hosts.every(isNamed))) return undefined;
  const writes = paths.filter((view) => view.access === "write");
  if (parts.some(writesByRedirect) && !areNamed(writes, able)) return undefined;
  const isFree = (part: CommandPart, index: number): boolean =>
    covering[index] !== undefined || isBareRedirect(part) || (readingIsFree && readsOnly(part, workspace));
  return parts.every(isFree) ? first : undefined;
}

function coversPart(
  rule: CompiledRule,
  part: CommandPart,
  knowledge: CommandKnowledge,
  workspace: readonly string[],
): boolean {
  if (rule.folder !== undefined && !part.command.cwds.every((cwd) => cwd === rule.folder)) return false;
  if (rule.command !== undefined)
    return (
      matchLiterally(rule.command, part, knowledge, workspace) &&
      (rule.hosts === undefined || reachesOnly(rule.hosts, hostsAfter(rule.command.tokens.length, part)))
    );
  if (!rule.isWhole) return false;
  const { words, assignments } = part.command;
  const isLiteral = words.length > 0 && words.every((word) => word.literal) && assignments.length === 0;
  return isLiteral && part.traits?.listedFlags.length === 0;
}

/** Returns the hosts that the arguments after the tokens of a rule name. What is neither a URL nor an option alone may be a host. */
function hostsAfter(tokens: number, { command }: CommandPart): readonly Host[] {
  const texts = command.words.slice(tokens).map(({ text }) => text);
  return texts
    .filter((text) => !/^-(?:[A-Za-z]|-[A-Za-z-]+)$/.test(text))
    .flatMap((text) => (/^[a-z]+:\/\//i.test(text) ? hostsIn([text], "urls") : readHost(text)));
}

function readsOnly(part: CommandPart, workspace: readonly string[]): boolean {
  const { command, traits } = part;
  const isPlain = command.assignments.length === 0 && !command.redirects.some(isWrite);
  return isPlain && traits?.isReadOnly === true && staysInside(part, workspace);
}

/** Redirects are not arguments: only a rule about paths covers the files they write. */
function areNamed(writes: readonly PathView[], able: readonly CompiledRule[]): boolean {
  const isNamed = (view: PathView): boolean => able.some((rule) => coversPath(rule, view));
  return writes.length > 0 && writes.every((view) => !view.isSuspected && isNamed(view));
}

function writesByRedirect({ command }: CommandPart): boolean {
  return command.redirects.some(isWrite);
}

function isWrite({ access, target }: SimpleCommand["redirects"][number]): boolean {
  return access === "write" && !(target.literal && STORES_NOTHING.test(target.text));
}

const STORES_NOTHING = /^\/dev\/(?:null|stdout|stderr|fd\/[12])$/;

/** `> file` starts no program. */
function isBareRedirect({ command: { words, assignments, redirects } }: CommandPart): boolean {
  return words.length === 0 && assignments.length === 0 && redirects.length > 0;
}

import type { CompiledRule, Restrictions } from "./compile-rule.ts";
import { namesCommand, namesHost } from "./match-code.ts";
import { matchTokens, weaker, type Match } from "./match-command.ts";
import type { CommandView } from "./command-view.ts";
import type { PathView } from "./match-path.ts";
import { matchInput } from "./match-input.ts";
import { mayTouch } from "./may-touch.ts";
import { systemNames, type Subject } from "./subject.ts";

/** The first rule that certainly matches a call, or else the first that possibly does. */
export interface FoundRules {
  readonly certain?: CompiledRule;
  readonly possible?: CompiledRule;
}

const NOTHING: FoundRules = Object.freeze({});

/** Searches the deny rules, or the ask rules, of every layer and ceiling. */
export function findRule(
  decision: "deny" | "ask",
  subject: Subject,
  sets: readonly Readonly<Record<"deny" | "ask", Restrictions>>[],
): FoundRules {
  let possible: CompiledRule | undefined;
  for (const set of sets) {
    for (const rule of candidates(subject, set[decision])) {
      const match = matchRule(rule, subject);
      if (match === "certain") return { certain: rule };
      if (match === "possible") possible ??= rule;
    }
  }
  return possible === undefined ? NOTHING : { possible };
}

/** Leaves out rules about programs that the call does not start. */
function candidates({ commands, programs }: Subject, rules: Restrictions): readonly CompiledRule[] {
  if (commands.length === 0) return rules.withoutCommand;
  return programs === undefined ? rules.all : rules.forPrograms(programs);
}

/** Returns how a deny or an ask rule that applies to the tool matches the call: every condition must match. */
export function matchRule(rule: CompiledRule, subject: Subject): Match {
  const { paths, isOpenEnded } = subject;
  if (rule.paths !== undefined && paths.length === 0 && !isOpenEnded) return "none";
  const byHost = weaker(rule.byUser, matchHosts(rule, subject));
  if (byHost === "none") return "none";
  const { input, isExact } = rule;
  if (input !== undefined && !matchInput(subject.job.input, input, isExact)) return "none";
  const byCommand = weaker(byHost, matchCommands(rule, subject));
  if (byCommand === "none" || rule.paths === undefined) return byCommand;
  return weaker(byCommand, matchPaths(rule, subject));
}

function matchHosts({ hosts: pattern, knowledge }: CompiledRule, { hosts, commands }: Subject): Match {
  if (pattern === undefined || hosts.some(pattern)) return "certain";
  return commands.some((view) => namesHost(view, pattern, knowledge)) ? "possible" : "none";
}

function matchCommands(own: CompiledRule, { commands, paths }: Subject): Match {
  const { knowledge, decision, tokens } = own;
  if (tokens === undefined) return "certain";
  const command = commands.length === 0 ? undefined : own.command;
  let best: Match = "none";
  if (command === undefined) return best;
  for (const view of commands) {
    const mayStart = view.runsCode || (!view.isReadOnly && view.parts.some((part) => part.mayTakeCommand));
    if (view.isUnknown || (own.deniesUnknown && mayHide(view, own.program, paths))) best = "possible";
    // Not for ask rules: words such as `shutdown` occur in much code that stops no machine.
    else if (decision === "deny" && mayStart && namesCommand(view, command, knowledge)) best = "possible";
    for (const part of view.parts) {
      const match = matchTokens(command, part);
      if (match === "certain") return match;
      if (match === "possible") best = match;
    }
  }
  return best;
}

/** Returns true for a command that may run a program which its words do not start: a written file, a text of run time, or its file under another name. */
function mayHide(view: CommandView, program: string | undefined, paths: readonly PathView[]): boolean {
  if (view.runsWritten || view.fact.reading?.runsUnknown === true) return true;
  if (view.isReadOnly) return false;
  // `hash -p /bin/rm x`, `cp /bin/r* x`.
  return paths.some((path) => systemNames(path).some((name) => name === undefined || name === program));
}

function matchPaths({ paths, access }: CompiledRule, subject: Subject): Match {
  if (paths === undefined) return "certain";
  let best: Match = "none";
  for (const view of subject.paths) {
    if (access !== undefined && view.access !== access) continue;
    if (!paths.matches(view)) continue;
    if (!view.isSuspected) return "certain";
    best = "possible";
  }
  if (best === "possible" || !subject.isOpenEnded) return best;
  return mayTouch(paths, access, subject) ? "possible" : "none";
}

import type { Job } from "../core/job.ts";
import type { Word } from "../core/command.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Limits, StrictDeny, StrictSandbox } from "./layers/limits.ts";
import type { CommandPart } from "./match/command-part.ts";
import type { CommandView } from "./match/command-view.ts";
import { BUILT_IN, type CompiledRule } from "./match/compile-rule.ts";
import type { Subject } from "./match/subject.ts";

/** What `strictDeny` demands of a call: that it is refused, that it is approved, or only that it runs in the sandbox. */
export interface Demand {
  readonly refusal?: Verdict;
  readonly question?: Verdict;
}

/**
 * Returns what `strictDeny` demands of a call; undefined for calls that it does not concern: those without a deny rule of the
 * user, the project or the session about paths, commands or hosts, and those whose programs do what their arguments say.
 */
export function strictDemand(subject: Subject, { strictDeny, rules }: Limits): Demand | undefined {
  if (strictDeny === undefined || subject.commands.length === 0) return undefined;
  const own = ownDenies(rules);
  if (own.length === 0) return undefined;
  const view = subject.commands.find(runsUnjudged);
  if (view === undefined) return undefined;
  const { job } = subject;
  const what = programOf(view);
  const reason = refusalOf(subject, own, strictDeny);
  if (reason !== undefined)
    return {
      refusal: {
        kind: "deny",
        rule: STRICT_DENY,
        reason: `"${job.tool.name}" is refused: strictDeny lets ${what} run only in a sandbox, and ${reason}`,
        ...(strictDeny.sandbox === undefined && { hint: "toolwright doctor says which sandboxes work" }),
      },
    };
  const rule = own.find(needsApproval);
  if (rule === undefined) return {};
  return {
    question: {
      kind: "ask",
      rule: rule.id,
      reason: `strictDeny: ${what} may do what is denied: ${rule.rule.reason ?? `the rule ${rule.id}`}`,
      ungrantable: "it may do what a rule denies",
    },
  };
}

const STRICT_DENY = "strict-deny";

/** Returns true if policy has deny rules of its own for a tool, and commands must be judged by `strictDeny`. */
export function hasOwnDenies({ strictDeny, rules }: Limits): boolean {
  return strictDeny !== undefined && ownDenies(rules).length > 0;
}

function ownDenies(rules: Limits["rules"]): readonly CompiledRule[] {
  return rules.flatMap(({ deny }) => deny.all.filter(({ layer, isWhole }) => layer !== BUILT_IN && !isWhole));
}

/** A sandbox hides denied files and cuts off the network; it cannot hide a program, or protect a file that may be read. */
function needsApproval({ tokens, access }: CompiledRule): boolean {
  return tokens !== undefined || access === "write";
}

function refusalOf(
  { job, commands }: Subject,
  own: readonly CompiledRule[],
  { sandbox, reason = "none works here" }: StrictDeny,
): string | undefined {
  if (sandbox === undefined) return reason;
  if (!canHold(sandbox, job)) return `"${job.tool.name}" does not run there`;
  if (commands.some(({ fact }) => fact.outside === true)) return "the call asks for the host";
  if (sandbox.hasNetwork && own.some(({ hosts }) => hosts !== undefined))
    return "it has a network, but a rule denies a host";
  return undefined;
}

function canHold({ holds }: StrictSandbox, { tool }: Job): boolean {
  return tool.place === "sandbox" && holds(tool);
}

/** Returns true if the command may do more than its arguments say. */
function runsUnjudged(view: CommandView): boolean {
  const { isReadOnly, isUnknown, fact, parts } = view;
  if (isReadOnly) return false;
  if (isUnknown || fact.interactive === true || fact.reading?.runsUnknown === true) return true;
  return fact.reading?.folderPrograms !== undefined || view.runsWritten || parts.some(isUnjudged);
}

/** Returns true for an interpreter, a program that runs the code of packages and projects, and one that is not known. */
function isUnjudged(part: CommandPart): boolean {
  const { command, traits, isKnown, isBlind, runsCode, program } = part;
  if (traits?.isReadOnly === true) return false;
  if (!isKnown || isBlind || runsCode || part.isRunner || part.isShell) return true;
  const [first] = command.words;
  if (first?.text.includes("/") === true && !SYSTEM.test(first.text)) return true;
  const sets = SETTERS.has(program ?? "") ? command.words.slice(1) : [];
  return REDEFINERS.has(program ?? "") || [...command.assignments, ...sets].some(mayStart);
}

const SYSTEM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/;
const SETTERS: ReadonlySet<string> = new Set(["export", "declare", "typeset", "readonly", "local"]);
const REDEFINERS: ReadonlySet<string> = new Set(["alias", "hash", "enable"]);

/** Variables that change no program's behaviour in a way that starts another. */
const HARMLESS =
  /^(?:[a-z_][a-z0-9_]*|LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CI|DEBUG)$/;

/** Returns true for `NAME=value` of a variable that may start programs, such as PATH, LD_PRELOAD or PAGER. */
function mayStart({ text, literal }: Word): boolean {
  const [name = "", value] = text.split(/\+?=/, 2);
  if (text.startsWith("-")) return false;
  return !literal && value === undefined ? true : value !== undefined && !HARMLESS.test(name);
}

function programOf(view: CommandView): string {
  return view.parts.find(isUnjudged)?.program ?? "a command whose programs are not known";
}

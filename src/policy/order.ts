import { WORKSPACE_BOUNDARY } from "../core/policy.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Disaster } from "../shell/syntax/command-knowledge.ts";
import type { Limits } from "./layers/limits.ts";
import { decideByModes } from "./layers/modes.ts";
import type { CompiledRule } from "./match/compile-rule.ts";
import { findRule, type FoundRules } from "./match/match-rule.ts";
import { hasUnknownFolder } from "./match/may-touch.ts";
import { isFileEdit, type Subject } from "./match/subject.ts";
import { askBeforeSending } from "./ask-before-sending.ts";
import { grantOffers } from "./grant-offers.ts";
import { allowInSandbox, tryInSandbox } from "./in-sandbox.ts";
import { narrowestGrant } from "./narrowest-grant.ts";
import { allowsPath, findAllowingRule } from "./protect/find-allowing-rule.ts";
import { findProtectedRead, type ProtectedRead } from "./protect/find-protected-read.ts";
import { isProtected, isSystemTarget, mayBecomeProtected } from "./protect/protected.ts";
import { hasOwnDenies, strictDemand } from "./strict-deny.ts";
import {
  askOutside,
  denyOutside,
  findOutside,
  namesPrivate,
  type Outside,
} from "./protect/workspace-boundary.ts";

/**
 * Judges a call in a fixed order, from checks that nothing overrides to the default of the mode. No step loosens the
 * result of an earlier one, so the strictest rule wins, whatever the order of the rules.
 */
export function judgeInOrder(subject: Subject, limits: Limits): Verdict {
  const denies = findRule("deny", subject, limits.rules);
  const disaster = findDisaster(subject, limits);
  const outside = findOutside(subject, limits, () => allowsOf(limits));
  const refused =
    findRefusal(subject, limits, denies.certain, disaster) ??
    (outside === undefined ? undefined : denyOutside(outside, subject, limits));
  if (refused !== undefined) return refused;
  const strict = strictDemand(subject, limits);
  if (strict?.refusal !== undefined) return strict.refusal;
  const isEdit = limits.modes.includes("edits") && isFileEdit(subject, limits.workspace);
  const byMode = decideByModes(limits.modes, subject.job.tool.name, limits.risk, isEdit);
  // The remaining steps only ask for approval, and this mode never asks.
  if (byMode.kind === "deny") return byMode;
  const verdict =
    askInEveryMode(subject, limits, denies, disaster) ??
    strict?.question ??
    askBeforeSending(subject, limits) ??
    askUnlessGranted(subject, limits, outside) ??
    unlessAllowed(
      subject,
      limits,
      askBeforeOverwrite(subject, limits) ?? allowInSandbox(subject, limits) ?? byMode,
    );
  return strict === undefined ? withoutHooks(verdict, subject, limits) : { ...verdict, isConfined: true };
}

/** Beside deny rules, strictDeny keeps git from running the hooks of a repository, which are programs that no rule sees. */
function withoutHooks(verdict: Verdict, { commands }: Subject, limits: Limits): Verdict {
  const isGuarded = verdict.kind === "allow" && commands.length > 0 && hasOwnDenies(limits);
  return isGuarded ? { ...verdict, isGuarded } : verdict;
}

function findRefusal(
  { job }: Subject,
  limits: Limits,
  denied: CompiledRule | undefined,
  disaster: Disaster | undefined,
): Verdict | undefined {
  const { name } = job.tool;
  if (denied !== undefined)
    return { kind: "deny", reason: `"${name}" is denied: ${describeRule(denied)}`, rule: denied.id };
  if (disaster?.decision === "deny") return { kind: "deny", reason: disaster.reason, rule: disaster.id };
  if (limits.mayRun) return undefined;
  return {
    kind: "deny",
    reason: `"${name}" is not one of the tools that its caller may use`,
    rule: "ceiling.tools",
  };
}

/** Returns the worst disaster in the commands. */
function findDisaster({ commands }: Subject, { knowledge }: Limits): Disaster | undefined {
  let disaster: Disaster | undefined;
  for (const { fact } of commands) {
    const one = knowledge?.disaster(fact.reading?.commands ?? [], fact.text);
    if (one?.decision === "deny") return one;
    disaster ??= one;
  }
  return disaster;
}

/** Returns the questions that no mode, rule or grant can suppress. */
function askInEveryMode(
  subject: Subject,
  limits: Limits,
  denies: FoundRules,
  disaster: Disaster | undefined,
): Verdict | undefined {
  const { protectedFolders, workspace } = limits;
  const { job, paths, commands, parts } = subject;
  const tool = `"${job.tool.name}"`;
  const target = paths.find(
    (view) =>
      view.access === "write" &&
      (view.findName(
        (name) =>
          isProtected(name.folded, protectedFolders) ||
          (!name.isInside(workspace) &&
            isSystemTarget(name.folded, view.isSuspected) &&
            !allowsPath(allowsOf(limits), view, subject, workspace)),
      ) !== undefined ||
        (view.isSuspected && mayBecomeProtected(view.folded))),
  );
  if (target !== undefined) {
    const why = "which can run code or change permissions";
    return always(
      "protected-target",
      `${tool} would write to ${target.path}, ${why}`,
      "writing there needs approval every time",
    );
  }
  if (disaster !== undefined) return always(disaster.id, disaster.reason, "it can cause irreversible damage");
  if (commands.length === 0) return mayDoDenied(denies, false, tool);
  // Before possible denies: an unreadable command possibly matches every rule, and naming one of them explains nothing.
  const unreadable = commands.find((view) => view.certainty === "unreadable");
  if (unreadable !== undefined) {
    const doubt = unreadable.fact.reading?.doubt ?? "its text was not read";
    return always("unreadable-command", `the command cannot be analyzed: ${doubt}`, "it cannot be analyzed");
  }
  const isBlind = parts.some((part) => part.isBlind);
  const question = mayDoDenied(denies, isBlind, tool);
  if (question !== undefined || !parts.some(hasUnknownFolder)) return question;
  return always(
    WORKSPACE_BOUNDARY,
    "the folder in which the command would run is unknown",
    "its folder is unknown",
  );
}

function mayDoDenied({ possible }: FoundRules, isBlind: boolean, name: string): Verdict | undefined {
  if (possible === undefined) return undefined;
  const why = isBlind
    ? "the program it would start is unknown and may be a denied one"
    : describeRule(possible);
  return always(possible.id, `${name} may do what is denied: ${why}`, "it may do what a rule denies");
}

function always(rule: string, reason: string, ungrantable: string): Verdict {
  return { kind: "ask", reason, rule, ungrantable };
}

/** Returns the questions that only a grant of exactly this call suppresses. */
function askUnlessGranted(
  subject: Subject,
  limits: Limits,
  outside: Outside | undefined,
): Verdict | undefined {
  const { certain, possible } = findRule("ask", subject, limits.rules);
  const rule = certain ?? possible;
  const leaves = leavesSandbox(subject, limits);
  const read = findProtectedRead(
    subject,
    {
      protectedReads: limits.protectedReads,
      knowledge: limits.knowledge,
      isOnHost: limits.allowed[subject.job.risk] !== undefined,
    },
    () => allowsOf(limits),
  );
  const beyond = outside === undefined ? undefined : askOutside(outside, limits);
  if (rule === undefined && beyond === undefined && read === undefined && !leaves) return undefined;
  if (limits.grants.exact() !== undefined) return undefined;
  const name = `"${subject.job.tool.name}"`;
  const isExact = rule !== undefined || read !== undefined || leaves || limits.border === "deny";
  const offer = narrowestGrant(subject, limits.knowledge, { isExact });
  if (read !== undefined) return { ...askToRead(read, name), ...offer };
  if (leaves && rule === undefined)
    return {
      kind: "ask",
      reason: `${name} asks to run outside the sandbox`,
      rule: "outside-sandbox",
      ...offer,
    };
  if (rule !== undefined) {
    return { kind: "ask", reason: `${name} needs approval: ${describeRule(rule)}`, rule: rule.id, ...offer };
  }
  return beyond && { ...beyond, ...offer };
}

function askToRead({ path, isCertain }: ProtectedRead, name: string): Verdict {
  return {
    kind: "ask",
    reason: `${name} ${isCertain ? "would" : "may"} read ${path}, which can contain secrets`,
    rule: "protected-read",
    hint: `allow it with a rule that names the file: toolwright policy allow --access read --path '${path}'`,
  };
}

/** Returns true for a command that would run on the host though there is a sandbox: what was allowed holds only in the sandbox. */
function leavesSandbox({ commands }: Subject, { sandbox, modes }: Limits): boolean {
  if (sandbox === undefined || modes.includes("yolo")) return false;
  return commands.some(({ fact }) => fact.outside === true);
}

/** Returns the remaining verdict, unless rules or grants allow the whole call. */
function unlessAllowed(subject: Subject, limits: Limits, remaining: Verdict): Verdict {
  const isAllowed = remaining.kind === "allow";
  if (isAllowed && !isAllowedByProof(subject, limits)) return remaining;
  const [{ allow }] = limits.rules;
  const exact = limits.grants.exact();
  if (exact !== undefined) {
    return { kind: "allow", reason: "exactly this call was granted before", rule: `grant.${exact.id}` };
  }
  const granted = limits.grants.rules();
  const folderPrograms = folderProgramsOf(subject);
  const rule =
    folderPrograms !== undefined
      ? undefined
      : (findAllowingRule(allow, subject, limits) ??
        (granted.length === 0 ? undefined : findAllowingRule([...granted, ...allow], subject, limits)));
  if (rule !== undefined) {
    const reason = `it is allowed: ${describeRule(rule)}`;
    return { kind: "allow", reason, rule: rule.id, isGuarded: true };
  }
  if (isAllowed) {
    const guarded: Verdict = { ...remaining, isGuarded: true };
    // What the read-only sandbox would show of this machine is not what the session's sandbox has there.
    return hasBox(subject) && !namesPrivate(subject, limits) ? { ...guarded, place: "sandbox" } : guarded;
  }
  const attempt = remaining.ungrantable === undefined ? tryInSandbox(subject, limits) : undefined;
  return attempt ?? withOffers(remaining, subject, limits, folderPrograms);
}

/** Returns the verdict with the rules that an approval can save; none for a call that may start programs which files name. */
function withOffers(
  remaining: Verdict,
  subject: Subject,
  { knowledge, workspace }: Limits,
  folderPrograms: string | undefined,
): Verdict {
  if (remaining.ungrantable !== undefined && folderPrograms === undefined) return remaining;
  const why = `; no rule allows it, because it may start programs: ${folderPrograms}`;
  const offer =
    remaining.ungrantable === undefined ? narrowestGrant(subject, knowledge, { isExact: false }) : undefined;
  if (folderPrograms !== undefined) return { ...remaining, ...offer, reason: `${remaining.reason}${why}` };
  const offers = offer === undefined ? [] : grantOffers(subject, workspace);
  return { ...remaining, ...offer, ...(offers.length > 0 && { offers }) };
}

/** Returns true if the modes allow the call only because its commands are proven to read. */
function isAllowedByProof({ job }: Subject, { allowed, risk }: Limits): boolean {
  return risk !== job.risk && allowed[job.risk] === undefined;
}

/** Returns the files that may name programs which one of the commands would start. */
function folderProgramsOf({ commands }: Subject): string | undefined {
  for (const { fact } of commands)
    if (fact.reading?.folderPrograms !== undefined) return fact.reading.folderPrograms;
  return undefined;
}

/** Returns true if the tool can run the commands in a sandbox. */
function hasBox({ job, commands }: Subject): boolean {
  return job.tool.place === "sandbox" && commands.some(({ fact }) => fact.reading?.box !== undefined);
}

function allowsOf({ rules: [{ allow }], grants }: Limits): readonly CompiledRule[] {
  return [...allow, ...grants.rules()];
}

function askBeforeOverwrite({ job }: Subject, { modes }: Limits): Verdict | undefined {
  if (modes.includes("yolo")) return undefined;
  const unread = job.facts.find((fact) => fact.kind === "path" && fact.unread === true);
  if (unread?.kind !== "path") return undefined;
  return {
    kind: "ask",
    reason: `"${job.tool.name}" would replace ${unread.path}, which was not read in this session`,
    rule: "unread-overwrite",
    hint: "read the file first, then write it",
    ungrantable: "reading the file first avoids the question",
  };
}

function describeRule({ rule, id }: CompiledRule): string {
  return rule.reason ?? `the rule ${id}`;
}

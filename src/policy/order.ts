import type { Verdict } from "../core/policy.ts";
import type { Outside } from "./protect/border.ts";
import { findOutside, outsideVerdict } from "./protect/border.ts";
import type { Bounds } from "./layers/bounds.ts";
import type { Disaster } from "../shell/command-knowledge.ts";
import type { CompiledRule } from "./match/compile-rule.ts";
import { findCover } from "./protect/cover.ts";
import type { FoundRules } from "./find-rule.ts";
import { describeRule, findRule } from "./find-rule.ts";
import { isPlaceless } from "./match/may-touch.ts";
import { decideByModes } from "./layers/modes.ts";
import { narrowestGrant } from "./narrowest-grant.ts";
import { mayBecomeProtected } from "./protect/protected-patterns.ts";
import { isProtected } from "./protect/protected.ts";
import type { Subject } from "./match/subject.ts";

/**
 * The order of judging, from what nothing can change to what holds where nobody says anything. No station loosens what
 * an earlier one said, so the strictest wins, whatever the order of the rules.
 */
export function judgeInOrder(subject: Subject, bounds: Bounds): Verdict {
  const denies = findRule("deny", subject, bounds);
  const disaster = findDisaster(subject, bounds);
  const outside = findOutside(subject, bounds.workspace, () => allowsOf(bounds));
  const refused = findRefusal(subject, bounds, denies.certain, disaster);
  if (refused !== undefined) return refused;
  if (outside?.isCertain === true) return outsideVerdict(outside, bounds.workspace);
  const byMode = decideByModes(bounds.modes, subject.job.tool.name, bounds.risk);
  // All that is left to say could only be a question, and this mode asks none.
  if (byMode.kind === "deny") return byMode;
  return (
    askInEveryMode(subject, bounds, denies, disaster) ??
    askUnlessGranted(subject, bounds, outside) ??
    unlessAllowed(subject, bounds, askAboutUnread(subject, bounds) ?? byMode)
  );
}

function findRefusal(
  { job }: Subject,
  bounds: Bounds,
  denied: CompiledRule | undefined,
  disaster: Disaster | undefined,
): Verdict | undefined {
  const { name } = job.tool;
  if (denied !== undefined)
    return { kind: "deny", reason: `"${name}" is denied: ${describeRule(denied)}`, rule: denied.id };
  if (disaster?.decision === "deny") return { kind: "deny", reason: disaster.reason, rule: disaster.id };
  if (bounds.mayRun) return undefined;
  return {
    kind: "deny",
    reason: `"${name}" is not among the tools that its caller may use`,
    rule: "ceiling.tools",
  };
}

/** The worst of the disasters in the commands' text. */
function findDisaster({ commands }: Subject, { knowledge }: Bounds): Disaster | undefined {
  let found: Disaster | undefined;
  for (const { fact } of commands) {
    const one = knowledge?.disaster(fact.reading?.commands ?? [], fact.text);
    if (one?.decision === "deny") return one;
    found ??= one;
  }
  return found;
}

/** Nothing silences these: no mode, no rule, no grant. */
function askInEveryMode(
  subject: Subject,
  { protectedFolders }: Bounds,
  denies: FoundRules,
  disaster: Disaster | undefined,
): Verdict | undefined {
  const { job, paths, commands } = subject;
  const name = `"${job.tool.name}"`;
  const target = paths.find(
    (view) =>
      view.access === "write" &&
      (isProtected(view.folded, protectedFolders) || (view.isSuspected && mayBecomeProtected(view.folded))),
  );
  if (target !== undefined) {
    const why = "which can run code or change what is allowed";
    return always(
      "protected-target",
      `${name} would write to ${target.path}, ${why}`,
      "it is asked about every time",
    );
  }
  if (disaster !== undefined) return always(disaster.id, disaster.reason, "it can destroy too much");
  // Before what it may do: that could be anything, and a rule picked from all of them would tell nobody why.
  const unreadable = commands.find((view) => view.certainty === "unreadable");
  if (unreadable !== undefined) {
    const doubt = unreadable.fact.reading?.doubt ?? "it was not read";
    return always(
      "unreadable-command",
      `nobody can tell what the command would do: ${doubt}`,
      "it cannot be read",
    );
  }
  const perhaps = denies.possible;
  if (perhaps !== undefined) {
    const isBlind = commands.some((view) => view.parts.some((part) => part.isBlind));
    const why = isBlind
      ? "nobody can tell which program it would start; one that is denied, perhaps"
      : describeRule(perhaps);
    return always(perhaps.id, `${name} may do what is denied: ${why}`, "it may do what a rule denies");
  }
  if (!commands.some((view) => view.parts.some(isPlaceless))) return undefined;
  return always(
    "workspace-border",
    "nobody can tell in which folder the command would run",
    "it cannot be placed",
  );
}

function always(rule: string, reason: string, ungrantable: string): Verdict {
  return { kind: "ask", reason, rule, ungrantable };
}

/** A yes to this very call is enough for these; a wider grant is not. */
function askUnlessGranted(
  subject: Subject,
  bounds: Bounds,
  outside: Outside | undefined,
): Verdict | undefined {
  const { certain, possible } = findRule("ask", subject, bounds);
  const rule = certain ?? possible;
  if (rule === undefined && outside === undefined) return undefined;
  if (bounds.grants.exact() !== undefined) return undefined;
  const name = `"${subject.job.tool.name}"`;
  const offer = narrowestGrant(subject, bounds.knowledge, true);
  if (rule !== undefined) {
    return { kind: "ask", reason: `${name} is asked about: ${describeRule(rule)}`, rule: rule.id, ...offer };
  }
  const reason = `${outside?.path} looks like a path outside the workspace`;
  return { kind: "ask", reason, rule: "workspace-border", ...offer };
}

/** What is left to ask about, unless a rule or a grant covers all of the call. */
function unlessAllowed(subject: Subject, bounds: Bounds, left: Verdict): Verdict {
  if (left.kind === "allow") return left;
  const [{ allow }] = bounds.rules;
  const exact = bounds.grants.exact();
  if (exact !== undefined) {
    return { kind: "allow", reason: "this very call was granted before", rule: `grant.${exact.id}` };
  }
  const granted = bounds.grants.rules();
  const cover =
    findCover(allow, subject, bounds) ??
    (granted.length === 0 ? undefined : findCover([...granted, ...allow], subject, bounds));
  if (cover !== undefined) return allowedBy(cover);
  return left.ungrantable === undefined
    ? { ...left, ...narrowestGrant(subject, bounds.knowledge, false) }
    : left;
}

function allowedBy(rule: CompiledRule): Verdict {
  return { kind: "allow", reason: `it is allowed: ${describeRule(rule)}`, rule: rule.id };
}

function allowsOf({ rules: [{ allow }], grants }: Bounds): readonly CompiledRule[] {
  return [...allow, ...grants.rules()];
}

function askAboutUnread({ job }: Subject, { modes }: Bounds): Verdict | undefined {
  if (modes.includes("yolo")) return undefined;
  const unread = job.facts.find((fact) => fact.kind === "path" && fact.unread === true);
  if (unread?.kind !== "path") return undefined;
  return {
    kind: "ask",
    reason: `"${job.tool.name}" would replace ${unread.path}, which was not read in this session`,
    rule: "unread-overwrite",
    hint: "read the file first, then write it",
    ungrantable: "reading the file makes it silent",
  };
}

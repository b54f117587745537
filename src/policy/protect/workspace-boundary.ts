import { dirname } from "node:path/posix";
import { GRANT_SCOPES, type GrantOffer } from "../../core/grant.ts";
import type { Job } from "../../core/job.ts";
import { WORKSPACE_BOUNDARY, type Border, type Mode } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { fold } from "../../util/text/fold.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { escapePattern } from "../../util/text/name-pattern.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { PathView } from "../match/match-path.ts";
import { isOwnTool, type Subject } from "../match/subject.ts";
import { allowsPath } from "./find-allowing-rule.ts";
import { isProtected } from "./protected.ts";
import type { ProtectedReads } from "./protected-reads.ts";

/** What a path is compared with. */
interface PathContext {
  readonly workspace: readonly string[];
  readonly sandbox:
    | { readonly isPrivate?: (job: Job) => boolean; readonly hasOwnSystem?: boolean }
    | undefined;
  readonly protectedReads: ProtectedReads;
}

/** What decides about paths outside the workspace. */
interface BoundaryLimits extends PathContext {
  readonly border: Border;
  readonly modes: readonly Mode[];
  /** The call is a command that is proven to only read. */
  readonly readsOnly: boolean;
  readonly protectedFolders: readonly string[];
}

/** A path outside the workspace that is certainly or possibly touched. */
export interface Outside {
  readonly path: string;
  readonly isCertain: boolean;
  readonly isFolder: boolean;
  readonly access: PathView["access"];
}

/**
 * Returns the first path outside the workspace that no allow rule names; certain ones before suspected ones. Not outside are what is private in the sandbox
 * of the call, and files of the operating system that it only reads: a command in the read-only sandbox, or a file tool.
 */
export function findOutside(
  subject: Subject,
  limits: BoundaryLimits,
  allows: () => readonly CompiledRule[],
): Outside | undefined {
  const { paths, commands } = subject;
  const isWithout = commands.length === 0 && paths.every((view) => view.isInside(limits.workspace));
  return isWithout ? undefined : firstOutside(subject, limits, allows);
}

function firstOutside(
  subject: Subject,
  limits: BoundaryLimits,
  allows: () => readonly CompiledRule[],
): Outside | undefined {
  const { workspace, sandbox, border } = limits;
  if (sandbox?.isPrivate?.(subject.job) === true) return undefined;
  const mayReadSystem = border === "ask" && readsInBox(subject, limits);
  const isNear = (view: PathView): boolean =>
    view.isInside(workspace) ||
    (isOfSystem(view, limits) && (mayReadSystem || (border === "ask" && mayOpen(view, subject)))) ||
    allowsPath(allows(), view, subject, workspace);
  let suspected: Outside | undefined;
  for (const view of subject.paths) {
    if (isNear(view)) continue;
    const { path, isSuspected, access, exists, isFile } = view;
    const outside = { path, access, isCertain: !isSuspected, isFolder: exists && !isFile };
    if (outside.isCertain) return outside;
    suspected ??= outside;
  }
  for (const path of foldersOf(subject, border)) {
    // A folder is here by its name. What a command changes to is among the paths, which are resolved.
    const isNamed = isInside(path, workspace) || (mayReadSystem && isSystemPath(path));
    const view = new PathView({ kind: "path", path, access: "read" });
    if (!isNamed && !allowsPath(allows(), view, subject, workspace))
      return { path, access: "read", isCertain: true, isFolder: true };
  }
  return suspected;
}

/** The file tools that show names and no contents. */
const LISTING: ReadonlySet<string> = new Set(["ls", "glob"]);

/** Returns true for what a file tool opens and nothing else: a walk would meet files that not every user may read. */
function mayOpen(view: PathView, { job, commands }: Subject): boolean {
  if (commands.length > 0 || !isOwnTool(job)) return false;
  return view.isFile || (LISTING.has(job.tool.name) && !isWithin(view.path, "/etc"));
}

/** Returns true for a file of the operating system that every user may read, also by the links on the way to it. */
function isOfSystem(view: PathView, { workspace, protectedReads }: PathContext): boolean {
  if (!view.isSystem || view.isSuspected || protectedReads.isInHome(fold(view.path))) return false;
  return view.others.every(({ path }) => isSystemPath(path) || isInside(path, workspace));
}

/** Returns the folders in which commands start, and those in which their parts run. */
function foldersOf({ commands, parts }: Subject, border: Border): readonly string[] {
  const starts = commands.map(({ fact }) => fact.cwd);
  return border === "deny" ? starts : [...starts, ...parts.flatMap(({ command }) => command.cwds)];
}

/** Returns true if the call would run in the read-only sandbox of a command, or only reads there if a mode or a person allows it. */
function readsInBox({ job, commands }: Subject, { readsOnly }: BoundaryLimits): boolean {
  return (
    readsOnly && job.tool.place === "sandbox" && commands.every(({ fact }) => fact.reading?.box !== undefined)
  );
}

/** Returns true for a call in the session's sandbox that names something there which is not the same on this machine. */
export function namesPrivate({ job, paths, commands }: Subject, around: PathContext): boolean {
  const { workspace, sandbox } = around;
  if (sandbox?.isPrivate?.(job) !== true) return false;
  const isShared = (view: PathView): boolean =>
    view.findName((name) => !name.isInside(workspace)) === undefined ||
    (sandbox.hasOwnSystem !== true && isOfSystem(view, around));
  const isNear = (path: string): boolean => isInside(path, workspace) || isSystemPath(path);
  return !(paths.every(isShared) && commands.every(({ fact }) => isNear(fact.cwd)));
}

/** What is private in every sandbox, though it has the name of a folder of this machine that is used to exchange files. */
const PRIVATE = "/tmp";

/** Returns true for a call that runs on this machine although the session has a sandbox, and names a folder that is another one there. */
function isAmbiguous({ path }: Outside, { job }: Subject, { sandbox }: BoundaryLimits): boolean {
  return sandbox?.isPrivate !== undefined && !sandbox.isPrivate(job) && isWithin(path, PRIVATE);
}

/** Returns the refusal of a path that is certainly outside the workspace, in every mode; undefined if it only needs approval. */
export function denyOutside(outside: Outside, subject: Subject, limits: BoundaryLimits): Verdict | undefined {
  const { path } = outside;
  if (!outside.isCertain) return undefined;
  const hint = hintOn(outside, limits);
  if (isAmbiguous(outside, subject, limits)) {
    const reason = `${path} is outside the workspace, and the sandbox, in which commands run, has a ${PRIVATE} of its own`;
    return { kind: "deny", reason, rule: WORKSPACE_BOUNDARY, hint };
  }
  if (limits.border === "ask") return undefined;
  return {
    kind: "deny",
    reason: `${path} is outside the workspace`,
    rule: WORKSPACE_BOUNDARY,
    hint:
      limits.workspace.length === 0
        ? "no workspace is set: pass createEngine({ workspace: [folder] })"
        : hint,
  };
}

/** Returns the question about a path outside the workspace, with the folder that can be added to it; undefined if the mode allows it. */
export function askOutside(outside: Outside, limits: BoundaryLimits): Verdict | undefined {
  const { path, isCertain } = outside;
  if (limits.border === "ask" && limits.modes.every((mode) => mode === "yolo")) return undefined;
  const folder = folderToAdd(outside, limits);
  const offers: readonly GrantOffer[] =
    folder === undefined || limits.border === "deny"
      ? []
      : GRANT_SCOPES.map((scope) => ({ scope, label: folder, adds: folder, rule: ruleFor(folder) }));
  return {
    kind: "ask",
    reason: isCertain
      ? `${path} is outside the workspace`
      : `${path} looks like a path outside the workspace`,
    rule: WORKSPACE_BOUNDARY,
    hint: hintOn(outside, limits),
    ...(offers.length > 0 && { offers }),
  };
}

function ruleFor(folder: string): GrantOffer["rule"] {
  return { path: `${escapePattern(folder)}{,/**}`, decision: "allow" };
}

/** Returns what to do instead, and the command that writes a rule which allows the path. */
function hintOn(outside: Outside, limits: BoundaryLimits): string {
  const { path, access, isFolder } = outside;
  const [root] = limits.workspace;
  const folder = folderToAdd(outside, limits);
  const glob =
    folder === undefined ? escapePattern(path) : `${escapePattern(folder)}${isFolder ? "{,/**}" : "/**"}`;
  const quoted = `'${glob.replaceAll("'", String.raw`'\''`)}'`;
  const instead =
    root !== undefined && isWithin(path, PRIVATE) && !isFolder
      ? `use a file in the workspace, such as ${root}/${path.slice(path.lastIndexOf("/") + 1)}, or `
      : "";
  const only = access === "read" ? "--access read " : "";
  return `${instead}allow it with a rule: toolwright policy allow ${only}--path ${quoted}`;
}

/** Returns the folder of the path, unless it has the home folder, protected files or the operating system in it. */
function folderToAdd({ path, isFolder }: Outside, limits: BoundaryLimits): string | undefined {
  const { protectedReads, protectedFolders } = limits;
  const folder = isFolder ? path : dirname(path);
  const folded = fold(folder);
  const isUnfit =
    protectedReads.holdsSecrets(folded) ||
    protectedReads.isProtected(folded) ||
    isProtected(folded, protectedFolders) ||
    isSystemPath(folder) ||
    UNFIT.test(folder);
  return isUnfit ? undefined : folder;
}

const UNFIT = /^\/(?:proc|sys|dev|boot|run|var)(?:$|\/(?!tmp))/;

function isInside(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) if (isWithin(path, folder)) return true;
  return false;
}

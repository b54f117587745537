import type { Word } from "../../core/command.ts";
import type { Rule } from "../../core/rule.ts";
import type { CommandPart } from "./command-part.ts";
import { namesPath } from "./match-code.ts";
import { PathView, type PathPattern } from "./match-path.ts";
import type { CommandView } from "./command-view.ts";
import type { Subject } from "./subject.ts";

/**
 * Returns true if a call may touch matching paths that are not in its facts: because of a word still to be expanded, an
 * unknown folder, an argument that may be a path, a program that descends into folders, or a folder written as a whole.
 */
export function mayTouch(pattern: PathPattern, access: Rule["access"], subject: Subject): boolean {
  for (const view of subject.paths) {
    const isWanted = view.isWrittenFolder && (access === undefined || view.access === access);
    if (isWanted && pattern.mayMatchBelow(view)) return true;
  }
  return subject.commands.some((view) => commandMayTouch(pattern, access, view, subject));
}

/** Returns true if the command would run in an unknown folder. */
export function hasUnknownFolder({ command: { words, cwds }, opensNoFiles }: CommandPart): boolean {
  return cwds.length === 0 && words.length > 0 && !opensNoFiles;
}

function commandMayTouch(
  pattern: PathPattern,
  access: Rule["access"],
  view: CommandView,
  subject: Subject,
): boolean {
  const { isUnknown, parts, fact } = view;
  if (isUnknown || view.hasArgument((path) => pattern.matches(path))) return true;
  const isLost = fact.interactive === true;
  if (parts.some((part) => mayNamePath(part, access, isLost))) return true;
  if (view.runsCode && namesPath(view, pattern)) return true;
  return parts.some(
    (part) => part.isRecursive && startsOf(part, subject).some((start) => pattern.mayMatchBelow(start)),
  );
}

/** Returns true if an argument or redirect may become a path, or is relative to an unknown folder. */
function mayNamePath(
  { command, opensNoFiles, isOpen }: CommandPart,
  access: Rule["access"],
  isLost: boolean,
): boolean {
  const { words, redirects, cwds } = command;
  const isUnplaced = isLost || cwds.length === 0;
  if (redirects.length === 0 && !isOpen && !isUnplaced) return false;
  const isUnclear = ({ text, literal }: Word): boolean => !literal || (isUnplaced && !text.startsWith("/"));
  const targets = redirects.filter((redirect) => access === undefined || redirect.access === access);
  if (targets.some(({ target }) => isUnclear(target))) return true;
  if (words.length === 0 || opensNoFiles) return false;
  return isOpen || words.slice(1).some(isUnclear);
}

/** Returns every path of the call that may be a folder, and the folders that the command may start in. */
function startsOf({ command: { cwds } }: CommandPart, { paths }: Subject): readonly PathView[] {
  const folders = cwds.map((path) => new PathView({ kind: "path", path, access: "read" }));
  return [...paths.filter((view) => !view.isFile), ...folders];
}

import type { Word } from "../../core/command.ts";
import type { Rule } from "../../core/rule.ts";
import type { CommandPart } from "./command-part.ts";
import { namesPath } from "./match-code.ts";
import { PathView, type PathPattern } from "./match-path.ts";
import { runsCode, type CommandView, type Subject } from "./subject.ts";

/** Programs that open none of the files named in their arguments. */
const WITHOUT_FILES: ReadonlySet<string> = new Set(
  "echo printf true false : sleep exit return date export unset local readonly shift wait kill pwd whoami".split(
    " ",
  ),
);

/**
 * Returns true if a call may touch matching paths that are not in its facts: because of a word still to be expanded, an
 * unknown folder, a program that descends into folders, or a folder written as a whole.
 */
export function mayTouch(pattern: PathPattern, access: Rule["access"], subject: Subject): boolean {
  for (const view of subject.paths) {
    const isWanted = view.isWrittenFolder && (access === undefined || view.access === access);
    if (isWanted && pattern.mayMatchBelow(view)) return true;
  }
  return subject.commands.some((view) => commandMayTouch(pattern, access, view, subject));
}

/** Returns true if the command would run in an unknown folder. */
export function hasUnknownFolder({ command: { words, cwds }, program = "" }: CommandPart): boolean {
  return cwds.length === 0 && words.length > 0 && !WITHOUT_FILES.has(program);
}

function commandMayTouch(
  pattern: PathPattern,
  access: Rule["access"],
  view: CommandView,
  subject: Subject,
): boolean {
  const { certainty, parts, fact } = view;
  if (certainty === "unread" || certainty === "unreadable") return true;
  const isLost = fact.interactive === true;
  if (parts.some((part) => mayNamePath(part, access, isLost))) return true;
  if (runsCode(view) && namesPath(view, pattern)) return true;
  return parts.some(
    (part) => part.isRecursive && startsOf(part, subject).some((start) => pattern.mayMatchBelow(start)),
  );
}

/** Returns true if an argument or redirect may become a path, or is relative to an unknown folder. */
function mayNamePath(
  { command, program, isOpen }: CommandPart,
  access: Rule["access"],
  isLost: boolean,
): boolean {
  const { words, redirects, cwds } = command;
  const isUnplaced = isLost || cwds.length === 0;
  if (redirects.length === 0 && !isOpen && !isUnplaced) return false;
  const isUnclear = ({ text, literal }: Word): boolean => !literal || (isUnplaced && !text.startsWith("/"));
  const targets = redirects.filter((redirect) => access === undefined || redirect.access === access);
  if (targets.some(({ target }) => isUnclear(target))) return true;
  if (words.length === 0 || (program !== undefined && WITHOUT_FILES.has(program))) return false;
  return isOpen || words.slice(1).some(isUnclear);
}

/** Returns every path of the call that may be a folder, and the folders that the command may start in. */
function startsOf({ command: { cwds } }: CommandPart, { paths }: Subject): readonly PathView[] {
  const folders = cwds.map((path) => new PathView({ kind: "path", path, access: "read" }));
  return [...paths.filter((view) => !view.isFile), ...folders];
}

import type { Word } from "../../core/command.ts";
import type { Rule } from "../../core/rule.ts";
import type { CommandPart } from "./command-part.ts";
import { namesPath } from "./match-code.ts";
import type { PathPattern } from "./match-path.ts";
import { PathView } from "./match-path.ts";
import type { CommandView, Subject } from "./subject.ts";
import { runsCode } from "./subject.ts";

/** Programs that open no file that they are given the name of. */
const WITHOUT_FILES: ReadonlySet<string> = new Set(
  "echo printf true false : sleep exit return date export unset local readonly shift wait kill pwd whoami".split(
    " ",
  ),
);

/**
 * True where a call may touch paths that match, though no fact says so: a word that is still to be expanded, a folder
 * that nobody knows, a program that goes down into one, a folder that is written as a whole.
 */
export function mayTouch(pattern: PathPattern, access: Rule["access"], subject: Subject): boolean {
  for (const view of subject.paths) {
    const isWanted = view.isWrittenFolder && (access === undefined || view.access === access);
    if (isWanted && pattern.mayMatchBelow(view)) return true;
  }
  return subject.commands.some((view) => commandMayTouch(pattern, access, view, subject));
}

/** It would run, and nobody can tell in which folder. */
export function isPlaceless({ command: { words, cwds }, program = "" }: CommandPart): boolean {
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
  const isLost = fact.kept === true;
  if (parts.some((part) => isUnsure(part, access, isLost))) return true;
  if (runsCode(view) && namesPath(view, pattern)) return true;
  return parts.some(
    (part) => part.goesDown && startsOf(part, subject).some((start) => pattern.mayMatchBelow(start)),
  );
}

/** It has words that may become paths, or that are paths from a folder nobody knows. */
function isUnsure(
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

/** Every path of the call that may be a folder, and the folders that the command may be started in. */
function startsOf({ command: { cwds } }: CommandPart, { paths }: Subject): readonly PathView[] {
  const folders = cwds.map((path) => new PathView({ kind: "path", path, access: "read" }));
  return [...paths.filter((view) => !view.isFile), ...folders];
}

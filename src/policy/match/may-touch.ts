import type { Word } from "../../core/command.ts";
import type { Rule } from "../../core/rule.ts";
import type { CommandPart } from "./command-part.ts";
import { resolve } from "node:path/posix";
import { namesPath } from "./match-code.ts";
import { PathView, type PathPattern } from "./match-path.ts";
import type { CommandView } from "./command-view.ts";
import { pathsIn } from "./words-in.ts";
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
  for (const view of subject.commands) if (commandMayTouch(pattern, access, view, subject)) return true;
  return false;
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
  const isInTerminal = fact.interactive === true;
  if (view.runsWritten || (view.runsCode && namesPath(view, pattern))) return true;
  for (const part of parts) {
    if (mayNamePath(part, access, isInTerminal) || mayReadNames(part, view, pattern)) return true;
    if (mayDescendTo(pattern, part, subject)) return true;
  }
  return false;
}

/** Returns true if the program reads a folder above a matching path, or follows a link that may lead there. */
function mayDescendTo(pattern: PathPattern, part: CommandPart, subject: Subject): boolean {
  if (part.readsFolders) return operandsOf(part, subject).some((view) => view === undefined || !view.isFile);
  if (!part.isRecursive) return false;
  return part.followsLinks || startsOf(part, subject).some((start) => pattern.mayMatchBelow(start));
}

/** Returns what the paths are that the program names; undefined for one that is not known. */
function operandsOf(
  { traits, command: { cwds } }: CommandPart,
  { paths }: Subject,
): readonly (PathView | undefined)[] {
  const named = traits?.paths.map(({ text, cwd }) => resolve(cwd, text)) ?? [];
  if (named.length < 2 || cwds.length !== 1) return [undefined];
  return named.map((path) =>
    paths.find((view) => view.path === path || view.others.some((other) => other.path === path)),
  );
}

/**
 * Returns true if a program reads paths that its arguments do not name, unless they are known and none matches. So does code that
 * opens files and reads an unknown text.
 */
function mayReadNames(part: CommandPart, view: CommandView, pattern: PathPattern): boolean {
  const { input, cwds } = part.command;
  const isKnown = input?.literal === true && !MAY_STAND_FOR_MORE.test(input.text);
  if (input !== undefined && !isKnown && opensFiles(part, view)) return true;
  if (view.fact.reading?.namesAllPaths === true) return false;
  const from = part.traits?.namesFrom;
  if (from === undefined) return false;
  if (from === "file" || !isKnown || cwds.length === 0) return true;
  const names = input.text.split(/\\0+|[^\w./~@=:+-]+/).flatMap(pathsIn);
  return names.some((name) =>
    cwds.some((cwd) =>
      pattern.matches(new PathView({ kind: "path", path: resolve(cwd, name), access: "read" })),
    ),
  );
}

/** Returns true if the program runs code that opens files. */
export function opensFiles({ program, runsCode, traits }: CommandPart, { codes }: CommandView): boolean {
  if (!runsCode || traits?.isReadOnly === true) return false;
  return codes.some((code) => OPENS_FILES.test(code)) || actsOnInput(program, traits);
}

/** Returns true for `sed` with a command that runs or reads what its input has. */
export function actsOnInput(program: string | undefined, traits: CommandPart["traits"]): boolean {
  return /^g?sed$/.test(program ?? "") && traits?.listedFlags.length !== 0;
}

/** Words with which code opens files or starts programs. */
const OPENS_FILES =
  /\b(?:open|fopen|sysopen|getline|read_?(?:file|text|bytes|lines)\w*|slurp|file_get_contents|create_?read_?stream|system|popen|subprocess|exec\w*|spawn\w*|shell_exec|Path|File|IO|include|require|source|load)\b|`|\|\s*"|"\s*\|/i;

/** Escapes, formats and patterns that turn a printed text into another one. */
const MAY_STAND_FOR_MORE = /\\(?!0)|%|[*?[$`~]/;

/** Returns true if an argument or redirect may become a path, or is relative to an unknown folder. */
function mayNamePath(
  { command, opensNoFiles, isOpen }: CommandPart,
  access: Rule["access"],
  isInTerminal: boolean,
): boolean {
  const { words, redirects, cwds } = command;
  const isFolderUnknown = isInTerminal || cwds.length === 0;
  if (redirects.length === 0 && !isOpen && !isFolderUnknown) return false;
  const mayBeAnyPath = ({ text, literal }: Word): boolean =>
    !literal || (isFolderUnknown && !text.startsWith("/"));
  const targets = redirects.filter((redirect) => access === undefined || redirect.access === access);
  if (targets.some(({ target }) => mayBeAnyPath(target))) return true;
  if (words.length === 0 || opensNoFiles) return false;
  return isOpen || words.slice(1).some(mayBeAnyPath);
}

/** Returns every path of the call that may be a folder, and the folders that the command may start in. */
function startsOf({ command: { cwds } }: CommandPart, { paths }: Subject): readonly PathView[] {
  const folders = cwds.map((path) => new PathView({ kind: "path", path, access: "read" }));
  return [...paths.filter((view) => !view.isFile), ...folders];
}

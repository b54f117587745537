import type { Word } from "../../core/command.ts";
import { baseName } from "../../shell/syntax/shell-arguments.ts";
import { fold } from "../../util/text/fold.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { listedNames } from "../../shell/syntax/listed-names.ts";
import type { CommandPart } from "../match/command-part.ts";
import type { CommandView } from "../match/command-view.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { listOf } from "../match/list-of.ts";
import { PathView } from "../match/match-path.ts";
import { actsOnInput, opensFiles } from "../match/may-touch.ts";
import type { Subject } from "../match/subject.ts";
import type { ProtectedReads } from "./protected-reads.ts";

/** A protected file that a call reads, or may read. */
export interface ProtectedRead {
  readonly path: string;
  readonly isCertain: boolean;
}

/** What protected files are found with. */
export interface ReadContext {
  readonly protectedReads: ProtectedReads;
  readonly knowledge: CommandKnowledge | undefined;
  /** The mode alone allows a command, so that no sandbox hides what it may meet. */
  readonly isOnHost: boolean;
}

/**
 * Returns the first protected file that a call reads, or may read: by a path of it, by an argument of a program that is not in the tables, or by a word
 * of code. A file that an allow rule names is not protected.
 */
export function findProtectedRead(
  subject: Subject,
  { protectedReads: reads, knowledge, isOnHost }: ReadContext,
  allows: () => readonly CompiledRule[],
): ProtectedRead | undefined {
  const { paths, commands } = subject;
  const isOpen = (path: string): boolean => isNamedByRule(path, allows(), reads);
  const isContent = commands.length === 0 || commands.some(showsContent);
  if (!isContent) return undefined;
  const matchesDots = commands.some(({ fact }) => /dotglob|glob_?dots|globignore/i.test(fact.text));
  const mayBecome = (path: string): boolean =>
    reads.mayBecome(path) || (matchesDots && reads.mayBecome(withDot(path)));
  for (const view of paths) {
    if (!mayShow(view, subject, knowledge)) continue;
    if (view.isSuspected && commands.length > 0 && !commands.some((one) => isName(baseName(view.path), one)))
      continue;
    const isSecret = view.isSuspected ? mayBecome : reads.isProtected;
    const secret = view.findName(
      ({ folded, path }) => isSecret(folded) && !isOpen(path) && !isOpen(view.path),
    );
    if (secret !== undefined) return { path: secret.path, isCertain: !view.isSuspected };
  }
  const isMeant = (view: PathView): boolean => reads.isProtected(view.folded) && !isOpen(view.path);
  for (const view of commands) {
    const isHidden = view.isReadOnly && !isOnHost;
    const protectedRead =
      pathInCode(view, isMeant) ??
      pathInList(view, (path) => reads.mayBecome(path.folded) && !isOpen(path.path)) ??
      (isHidden ? undefined : searchedFolder(view, subject, reads));
    if (protectedRead !== undefined) return { path: protectedRead, isCertain: false };
  }
  return undefined;
}

/** Returns a pattern whose last name matches hidden files too, as with the shell option `dotglob`. */
function withDot(path: string): string {
  return path.replace(/\/(?:(\*)|\?|\[[^/\]]*\])(?=[^/]*$)/, "/.$1");
}

/** Returns true if an allow rule for reading covers a protected path, and its pattern is itself one of a protected path: `**` names no file. */
export function isNamedByRule(path: string, allows: readonly CompiledRule[], reads: ProtectedReads): boolean {
  if (allows.length === 0) return false;
  const view = new PathView({ kind: "path", path, access: "read" });
  return allows.some(({ rule, paths, access, tokens, hosts, input }) => {
    const hasMore = tokens !== undefined || hosts !== undefined || input !== undefined;
    if (paths === undefined || access === "write" || hasMore) return false;
    return paths.matches(view) && listOf(rule.path ?? []).every(reads.names);
  });
}

/** Tools that change a file show parts of it in their answers. Of commands, only programs that may print, move or copy what they write. */
function mayShow(
  view: PathView,
  { commands, parts }: Subject,
  knowledge: CommandKnowledge | undefined,
): boolean {
  if (view.access === "read") return true;
  if (commands.length === 0) return view.exists;
  if (parts.some((part) => isRedirected(view, part))) return false;
  return parts.some((part) => {
    const { program, command, runsFile, opensNoFiles } = part;
    if (program === undefined) return command.words.length > 0;
    return runsFile || !(WRITES_ONLY.has(program) || opensNoFiles || readsOnly(part, knowledge));
  });
}

/** Returns true for a file that a command only writes its output to. */
function isRedirected({ path }: PathView, { command: { words, redirects } }: CommandPart): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isTarget = redirects.some(({ access, target }) => access === "write" && target.text.endsWith(name));
  return isTarget && !words.some(({ text }) => text.includes(name));
}

/** Programs that show nothing of the files that they write: their sources are paths that they read. */
const WRITES_ONLY: ReadonlySet<string> = new Set(
  "cp rm unlink shred rmdir trash touch truncate tee sponge mkdir mktemp chmod chown chgrp".split(" "),
);

/** Programs that show names and properties of files, never what is in them, or open none. What `xargs` starts is a part of its own. */
const SHOWS_NAMES: ReadonlySet<string> = new Set(
  (
    "cd ls stat test [ tree du find basename dirname realpath readlink rm unlink rmdir mkdir chmod chown chgrp touch " +
    "xargs echo printf true false : sleep exit pwd"
  ).split(" "),
);

function showsContent(view: CommandView): boolean {
  const { parts, isUnknown } = view;
  const showsNames = ({ program, command, isBlind, runsFile, traits }: CommandPart): boolean =>
    !isBlind &&
    !runsFile &&
    !(program === "xargs" && traits?.paths.length !== 0) &&
    (program === undefined ? command.words.length === 0 : SHOWS_NAMES.has(program)) &&
    command.redirects.every(({ access }) => access === "write");
  return isUnknown || parts.length === 0 || !parts.every(showsNames) || view.runsWritten;
}

/** Ignores redirects. */
function readsOnly({ command, traits }: CommandPart, knowledge: CommandKnowledge | undefined): boolean {
  if (command.redirects.length === 0) return traits?.isReadOnly === true;
  return knowledge?.describe({ ...command, redirects: [] }).isReadOnly === true;
}

/** Returns a protected path among the words of code and the arguments of programs of which the tables know nothing. */
function pathInCode(view: CommandView, isMeant: (path: PathView) => boolean): string | undefined {
  if (view.isReadOnly) return undefined;
  let meantPath: string | undefined;
  const isFound = (path: PathView): boolean => {
    if (!isMeant(path)) return false;
    meantPath = path.path;
    return true;
  };
  const isOpaque = ({ isKnown, readsCode, runsFile, isRunner }: CommandPart): boolean =>
    !isKnown || readsCode || runsFile || isRunner;
  if (view.hasArgument(isFound, isOpaque)) return meantPath ?? view.fact.text;
  if (view.runsWritten || view.parts.some(({ isKnown, readsCode }) => !isKnown || readsCode))
    for (const word of view.words) if (isName(word, view) && isFound(view.resolve(word))) return meantPath;
  // `sed 1r.env`.
  if (view.parts.some((part) => actsOnInput(part.program, part.traits)))
    for (const path of view.codePaths)
      if (isFound(new PathView({ kind: "path", path, access: "read" }))) return meantPath;
  return undefined;
}

/** Returns a protected path in a list that code reads, if the code opens files. */
function pathInList(view: CommandView, isMeant: (path: PathView) => boolean): string | undefined {
  if (view.isReadOnly) return undefined;
  for (const part of view.parts) {
    const { input } = part.command;
    if (input === undefined || !opensFiles(part, view)) continue;
    const listedPath = listedNames(input)
      .map((name) => view.resolve(name))
      .find(isMeant);
    if (listedPath !== undefined) return listedPath.path;
  }
  return undefined;
}

/** `event.key` in code is a property; `"server.key"`, `certs/server.key` and an argument that ends with the name are files. */
function isName(word: string, { fact: { text }, parts }: CommandView): boolean {
  if (word.includes("/") || !word.endsWith(".key")) return true;
  if (["'", '"', "`"].some((quote) => text.includes(`${quote}${word}${quote}`))) return true;
  const isArgument = ({ text: argument }: Word): boolean =>
    argument === word ||
    (argument.endsWith(word) && /^-[\w-]*[=:]?$|[=:@]$/.test(argument.slice(0, -word.length)));
  return parts.some(({ command }) => command.words.slice(1).some(isArgument));
}

/** Returns a folder with the home folder, or with secrets of the system, if a command reads everything in it. */
function searchedFolder(view: CommandView, { paths }: Subject, reads: ProtectedReads): string | undefined {
  for (const { isRecursive, command } of view.parts) {
    if (!isRecursive) continue;
    const starts = [...paths.filter(({ isFile }) => !isFile).map(({ path }) => path), ...command.cwds];
    const folder = starts.find((path) => reads.holdsSecrets(fold(path)));
    if (folder !== undefined) return folder;
  }
  return undefined;
}

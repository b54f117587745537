import { join } from "node:path/posix";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { CommandPart } from "./command-part.ts";
import { baseName } from "../../shell/syntax/shell-arguments.ts";
import { fold } from "../../util/text/fold.ts";
import { matchTokens, type CommandPattern } from "./match-command.ts";
import type { HostPattern } from "../../util/text/host/host-pattern.ts";
import { PathView, type PathPattern } from "./match-path.ts";
import type { CommandView } from "./command-view.ts";
import { programsIn } from "./words-in.ts";

const BARE = /^[\w./~=+@-]+$/;
/** More occurrences of the program's name count as a match. */
const MAX_PLACES = 100;
const CONNECTS = /\/dev\/(?:tcp|udp)\//;
/** So do more paths. */
const MAX_PATHS = 100_000;
/** The number of words after a program's name that may be its arguments. */
const MAX_ARGUMENTS = 16;

/**
 * Returns true if code in a command contains the words of the pattern in sequence, whatever separates them:
 * `system("rm -rf x")`, `run(["rm", "-rf", "x"])`. A bare argument of a known program that is the name itself is not code: `make shutdown`; after a word such as `exec` it is. The code
 * may start the command; nothing more is known.
 */
export function namesCommand(
  view: CommandView,
  pattern: CommandPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  const { words, wordPrograms } = view;
  const isNamed = (word: string): boolean =>
    programsIn(word, view.isEditor).some((name) => fold(name) === pattern.program);
  const places = wordPrograms.get(pattern.program) ?? [];
  if (places.length === 0 || places.length <= bareWords(view, pattern.program).filter(isNamed).length)
    return false;
  if (places.length > MAX_PLACES) return true;
  return places.some((index) => {
    const texts = [pattern.program, ...words.slice(index + 1, index + MAX_ARGUMENTS)];
    const literal = texts.map((text) => ({ text, literal: true }));
    const command = { words: literal, assignments: [], redirects: [], cwds: [], via: [] };
    return matchTokens(pattern, new CommandPart(command, knowledge)) !== "none";
  });
}

/** Returns the words that are certainly arguments of known programs: of one that runs code only the name itself, since `1erm` and `-eexec+rm` are code. */
function bareWords({ parts, isAllCode, runsCode }: CommandView, name: string): readonly string[] {
  if (isAllCode && runsCode) return [];
  return parts.flatMap(({ ownWords, isKnown, readsCode }) => {
    const texts = ownWords.map(({ text }) => text).filter((text) => isKnown && BARE.test(text));
    return readsCode ? texts.filter((text) => fold(baseName(text)) === name) : texts;
  });
}

/** Returns true if a word of the command's text, resolved from its folders or the home folder, is a path that matches. */
export function namesPath({ codePaths, words }: CommandView, pattern: PathPattern): boolean {
  const matches = (path: string): boolean =>
    pattern.matches(new PathView({ kind: "path", path, access: "read" }));
  if (codePaths.length > MAX_PATHS || codePaths.some(matches)) return true;
  const { home } = pattern;
  return (
    home !== undefined &&
    words.some((word) => /^~?\/./.test(word) && matches(join(home, word.replace("~", ""))))
  );
}

/**
 * Returns true if a command names a host that matches and does more than print. The host may be reached; hosts that a
 * program reaches by itself are not detected.
 */
export function namesHost(
  view: CommandView,
  pattern: HostPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  const { parts, isReadOnly, isUnknown } = view;
  if (isUnknown) return true;
  if (isReadOnly || (parts.length > 0 && parts.every((part) => onlyPrints(part, knowledge)))) return false;
  return view.hosts.some(pattern);
}

/** Ignores redirects, except those that may connect: bash does for `/dev/tcp/host/port`. */
function onlyPrints({ command, traits }: CommandPart, knowledge: CommandKnowledge | undefined): boolean {
  if (command.redirects.some(({ target }) => !target.literal || CONNECTS.test(target.text))) return false;
  if (command.redirects.length === 0) return traits?.isReadOnly === true;
  return knowledge?.describe({ ...command, redirects: [] }).isReadOnly === true;
}

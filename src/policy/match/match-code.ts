import { resolve } from "node:path/posix";
import type { CommandKnowledge } from "../../shell/command-knowledge.ts";
import { CommandPart } from "./command-part.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { baseName } from "./command-pattern.ts";
import { fold } from "../../util/text/fold.ts";
import { matchStrictly } from "./match-command.ts";
import type { PathPattern } from "./match-path.ts";
import { PathView } from "./match-path.ts";
import type { CommandView } from "./subject.ts";

const BARE = /^[\w./~=+@-]+$/;
/** Beyond these nobody looks: a text could else be made to cost much. */
const MAX_WORDS = 20_000;
const MAX_PLACES = 100;
/** So many words behind a program's name may be its arguments. */
const MAX_ARGUMENTS = 16;

/**
 * True where code in a command has the words of another command in a row, whatever stands between them:
 * `system("rm -rf x")`, `run(["rm", "-rf", "x"])`. A bare argument is no code: `make shutdown`. It says that the command
 * may be started, no more.
 */
export function namesCommand(
  { fact, parts }: CommandView,
  pattern: CommandPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  const isNamed = (word: string): boolean => fold(baseName(word)) === pattern.program;
  const words = wordsOf(fact.text);
  const places = words.flatMap((word, index) => (isNamed(word) ? [index] : []));
  if (places.length === 0 || places.length <= bareWords(parts).filter(isNamed).length) return false;
  if (places.length > MAX_PLACES) return true;
  return places.some((index) => {
    const literal = words.slice(index, index + MAX_ARGUMENTS).map((text) => ({ text, literal: true }));
    const command = { words: literal, assignments: [], redirects: [], cwds: [], via: [] };
    return matchStrictly(pattern, new CommandPart(command, knowledge)) !== "none";
  });
}

function bareWords(parts: readonly CommandPart[]): readonly string[] {
  return parts
    .flatMap(({ command }) => command.words.map(({ text }) => text))
    .filter((text) => BARE.test(text));
}

/** True where code in a command has a word that, from the command's folder, is a path that matches. */
export function namesPath({ fact }: CommandView, pattern: PathPattern): boolean {
  return wordsOf(fact.text).some((word) =>
    pattern.matches(new PathView({ kind: "path", path: resolve(fact.cwd, word), access: "read" })),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w./~=+@-]+/, MAX_WORDS).filter((word) => /[\w.]/.test(word));
}

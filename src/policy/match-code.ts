import { resolve } from "node:path/posix";
import type { CommandKnowledge } from "./command-knowledge.ts";
import { CommandPart } from "./command-part.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { baseName } from "./command-pattern.ts";
import { fold } from "./fold.ts";
import { matchStrictly } from "./match-command.ts";
import type { PathPattern } from "./match-path.ts";
import { PathView } from "./match-path.ts";

/** Beyond these nobody looks: a text could else be made to cost much. */
const MAX_WORDS = 20_000;
const MAX_PLACES = 100;
/** So many words behind a program's name may be its arguments. */
const MAX_ARGUMENTS = 16;

/**
 * True where a text in a language of its own has the words of a command in a row, whatever stands between them:
 * `system("rm -rf x")`, `run(["rm", "-rf", "x"])`. It says that the command may be started, no more.
 */
export function namesCommand(
  text: string,
  pattern: CommandPattern,
  knowledge: CommandKnowledge | undefined,
): boolean {
  const words = wordsOf(text);
  let places = 0;
  for (const [index, word] of words.entries()) {
    if (fold(baseName(word)) !== pattern.program) continue;
    places += 1;
    if (places > MAX_PLACES) return true;
    const literal = words.slice(index, index + MAX_ARGUMENTS).map((text) => ({ text, literal: true }));
    const command = { words: literal, assignments: [], redirects: [], cwds: [], via: [] };
    if (matchStrictly(pattern, new CommandPart(command, knowledge)) !== "none") return true;
  }
  return false;
}

/** True where a text in a language of its own has a word that, from this folder, is a path that matches. */
export function namesPath(text: string, cwd: string, pattern: PathPattern): boolean {
  return wordsOf(text).some((word) =>
    pattern.matches(new PathView({ kind: "path", path: resolve(cwd, word), access: "read" })),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\w./~=+@-]+/, MAX_WORDS).filter((word) => /[\w.]/.test(word));
}

import { withoutEditorCommand } from "../../shell/syntax/editor-command.ts";
import { baseName } from "../../shell/syntax/shell-arguments.ts";

const MAX_WORDS = 20_000;

/** Splits a text into everything that may be a word of code, whatever separates the words. */
export function wordsIn(text: string): readonly string[] {
  return text.split(/[^\w./~=+@-]+/, MAX_WORDS).filter((word) => /[\w.]/.test(word));
}

/** Returns the programs that a word of code may name: its base name, and what follows its last character that is part of no word. */
export function programsIn(word: string, isEditor: boolean): readonly string[] {
  const bare = word.replace(/^[-+=@]+/, "");
  const last = /\w*$/.exec(bare)?.[0] ?? "";
  const named = [baseName(bare), last];
  return [...new Set(isEditor ? named.flatMap(withoutEditorCommand) : named)].filter((name) => name !== "");
}

/** Returns the paths that a word of code may name: the word, also without the `a/` of a patch, and its parts between characters that may be punctuation. */
export function codePathsIn(word: string, isEditor: boolean): readonly string[] {
  const pieces = [word, ...word.split(isEditor ? /[=@~+-]/ : /[=@~+]/), ...pathsIn(word)];
  if (/^[ab]\/./.test(word)) pieces.push(word.slice(2));
  if (!isEditor) return pieces;
  const glued = word.search(/[./~]/);
  return [...pieces, ...(glued > 0 ? [word.slice(glued)] : []), ...pieces.flatMap(withoutEditorCommand)];
}

/** Returns the base names that an argument may mention: of each of its words, of what follows a `=`, `:` or `@`, and of what is attached to an option. */
export function namesIn(argument: string): readonly string[] {
  const names = new Set<string>();
  for (const word of argument.slice(0, MAX_ARGUMENT).split(/[^\w./~+-]+/)) {
    if (word === "") continue;
    for (const one of withoutEditorCommand(word)) names.add(baseName(one));
    if (/^-[A-Za-z]+./.test(word))
      for (let at = 2; at < Math.min(word.length, MAX_CLUSTER); at += 1) names.add(baseName(word.slice(at)));
  }
  return [...names].filter((name) => /\w/.test(name));
}

const MAX_ARGUMENT = 4096;
const MAX_CLUSTER = 12;

/** Returns the paths that a word may contain: the word, what is attached to a letter, and what follows a `@`, `=` or `:`. */
export function pathsIn(text: string): readonly string[] {
  if (text.length > MAX_ARGUMENT) return [];
  const values = [text];
  if (/^-[A-Za-z]./.test(text)) values.push(text.slice(2));
  if (/[@=:]/.test(text)) for (const { index } of text.matchAll(/[@=:]/g)) values.push(text.slice(index + 1));
  return values.filter((path) => path !== "");
}

import type { LexedWord, Token } from "./lexed.ts";
import { textOf } from "./piece-list.ts";
import type { Scan } from "./scan.ts";
import { rememberValue } from "./scan.ts";

/**
 * Remembers what `for name in …`, `set -- …` and the call of a function give to variables; plain assignments are noted
 * where they are read.
 */
export function noteLists(scan: Scan, tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "keyword" && (token.text === "for" || token.text === "select"))
      noteLoop(scan, tokens, index);
    if (token.kind === "word" && givesParameters(scan, token.word))
      noteParameters(scan, wordsFrom(tokens, index + 1));
  }
}

function givesParameters(scan: Scan, { source }: LexedWord): boolean {
  return source === "set" || scan.findings.functions.has(source);
}

function noteLoop(scan: Scan, tokens: readonly Token[], index: number): void {
  const [variable, middle] = [tokens[index + 1], tokens[index + 2]];
  if (variable?.kind !== "word" || middle?.kind !== "keyword" || middle.text !== "in") return;
  const name = textOf(variable.word.pieces);
  for (const word of wordsFrom(tokens, index + 3)) rememberValue(scan, name, word.pieces);
}

function noteParameters(scan: Scan, words: readonly LexedWord[]): void {
  const start = words.findIndex(({ source }) => source === "--" || source === "-");
  const items = start < 0 ? words : words.slice(start + 1);
  for (const name of ["@", "*"]) rememberValue(scan, name, [{ kind: "array", items }]);
  for (const [index, item] of items.slice(0, 9).entries())
    rememberValue(scan, String(index + 1), item.pieces);
}

function wordsFrom(tokens: readonly Token[], start: number): readonly LexedWord[] {
  const words: LexedWord[] = [];
  for (const token of tokens.slice(start)) {
    if (token.kind !== "word") break;
    words.push(token.word);
  }
  return words;
}

import type { LexedWord, Token } from "./lexed.ts";
import { textOf } from "./piece-list.ts";
import { recordValue, type Scan } from "./scan.ts";

/**
 * Records the values that `for name in …`, `set -- …` and function calls assign to variables. Plain assignments are
 * recorded by `readWord`.
 */
export function collectValues(scan: Scan, tokens: readonly Token[]): void {
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "keyword" && (token.text === "for" || token.text === "select"))
      collectLoop(scan, tokens, index);
    if (token.kind !== "word") continue;
    const { source } = token.word;
    if (source === "set" || scan.findings.functions.has(source))
      collectParameters(scan, wordsFrom(tokens, index + 1));
  }
}

function collectLoop(scan: Scan, tokens: readonly Token[], index: number): void {
  const [variable, middle] = [tokens[index + 1], tokens[index + 2]];
  if (variable?.kind !== "word" || middle?.kind !== "keyword" || middle.text !== "in") return;
  const name = textOf(variable.word.pieces);
  for (const word of wordsFrom(tokens, index + 3)) recordValue(scan, name, word.pieces);
}

function collectParameters(scan: Scan, words: readonly LexedWord[]): void {
  const start = words.findIndex(({ source }) => source === "--" || source === "-");
  const items = start < 0 ? words : words.slice(start + 1);
  for (const name of ["@", "*"]) recordValue(scan, name, [{ kind: "array", items }]);
  for (const [index, item] of items.slice(0, 9).entries()) recordValue(scan, String(index + 1), item.pieces);
}

function wordsFrom(tokens: readonly Token[], start: number): readonly LexedWord[] {
  const words: LexedWord[] = [];
  for (const token of tokens.slice(start)) {
    if (token.kind !== "word") break;
    words.push(token.word);
  }
  return words;
}

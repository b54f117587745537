import type { Word } from "../../core/command.ts";
import { baseName, hasHiddenCode, isStandardInput } from "../syntax/shell-arguments.ts";
import { outputText, unknownText } from "../syntax/printed-text.ts";
import { doubt, type Collected, type Origin } from "./collected.ts";
import { guessText, guessTokens } from "./guess-words.ts";
import type { LexedWord, Piece, Token } from "./lexed.ts";
import { textOf } from "./piece-list.ts";

const SHELLS: ReadonlySet<string> = new Set("sh bash dash zsh ksh mksh ash fish busybox rbash".split(" "));
const INTERPRETERS =
  /^(?:python|perl|ruby|node|deno|bun|php|lua|tclsh|Rscript|awk|osascript|pwsh|sqlite3|psql|mysql)[\d.]*$/;

/**
 * Adds texts that a shell runs without a wrapper: the input of a shell, from a redirect or the previous command of a
 * pipeline; an alias; a substitution in a subscript.
 */
export function addScripts(
  tokens: readonly Token[],
  piped: Word | undefined,
  origin: Origin,
  collected: Collected,
): void {
  const input = documentOf(tokens, collected) ?? piped;
  if (input !== undefined) addFed(wordsOf(tokens, collected), input, origin, collected);
  const [first] = tokens;
  if (first?.kind === "word" && textOf(first.word.pieces) === "alias") {
    addAliases(wordsOf(tokens, collected), origin, collected);
  }
  for (const word of allWords(tokens)) addHidden(word, origin, collected);
  for (const token of tokens) {
    if (token.kind === "redirect" && token.operator === ">&")
      addTwiceExpanded(token.target, origin, collected);
  }
}

/** Returns what a command reads on standard input: a here-document, a file, whose content is unknown, or the pipe. */
export function inputOf(
  tokens: readonly Token[],
  piped: Word | undefined,
  collected: Collected,
): Word | undefined {
  const file = tokens.find(
    (token) => token.kind === "redirect" && token.operator.startsWith("<") && !DOCUMENT.test(token.operator),
  );
  if (file?.kind !== "redirect") return documentOf(tokens, collected) ?? piped;
  // `< <(find . -name x)`
  const inner = file.target.codes.flatMap((code) => wordsOf(code.tokens, collected));
  return unknownText(inner.map(({ text }) => text).join("\n"));
}

/** Returns the output of a command in a pipeline; known for `echo`, `printf`, and `cat` or `tee` of a known text. */
export function outputOf(tokens: readonly Token[], piped: Word | undefined, collected: Collected): Word {
  return outputText(wordsOf(tokens, collected), inputOf(tokens, piped, collected));
}

/** Returns the guessed words of a command. */
export function wordsOf(tokens: readonly Token[], { known }: Collected): readonly Word[] {
  return guessTokens(tokens, known);
}

function addFed(words: readonly Word[], text: Word, { cwds, via }: Origin, collected: Collected): void {
  const shell = shellThatReads(words);
  if (shell !== undefined) {
    if (text.text !== "") collected.scripts.push({ text, cwds, via: [...via, shell] });
    doubt(collected, `${shell} runs its input`);
  }
  if (words.some(({ text }) => INTERPRETERS.test(baseName(text)))) {
    doubt(collected, "an interpreter may run its input");
  }
}

const DOCUMENT = /^<<[<-]?$/;

function documentOf(tokens: readonly Token[], { known }: Collected): Word | undefined {
  const fed = tokens.findLast((token) => token.kind === "redirect" && DOCUMENT.test(token.operator));
  return fed?.kind === "redirect" ? guessText(fed.document?.body ?? fed.target, known) : undefined;
}

/** Returns the shell that reads commands from its input: one without a script and without `-c`. */
function shellThatReads(words: readonly Word[]): string | undefined {
  const [first, second] = words;
  if (first !== undefined && /^(?:\.|source)$/.test(first.text))
    return isStandardInput(second?.text ?? "") ? first.text : undefined;
  const index = words.findIndex(({ text }) => SHELLS.has(baseName(text)));
  const rest = words.slice(index + 1).map(({ text }) => text);
  if (
    index < 0 ||
    (rest.some((text) => !isStandardInput(text) && !/^[-+]|^(?:sh|ash|posix|pipefail)$/.test(text)) &&
      !rest.includes("-s"))
  ) {
    return undefined;
  }
  return rest.some((text) => /^-[A-Za-z]*c/.test(text)) ? undefined : baseName(words[index]?.text ?? "");
}

function addAliases(words: readonly Word[], { cwds, via }: Origin, collected: Collected): void {
  doubt(collected, "an alias redefines a command");
  for (const { text, literal } of words.slice(1)) {
    const start = text.indexOf("=") + 1;
    if (start > 0)
      collected.scripts.push({ text: { text: text.slice(start), literal }, cwds, via: [...via, "alias"] });
  }
}

function addHidden(word: LexedWord, { cwds, via }: Origin, collected: Collected): void {
  if (!/[[@]/.test(word.source)) return;
  const text = textOf(word.pieces);
  if (hasHiddenCode(text)) {
    doubt(collected, "a subscript may run commands");
    collected.scripts.push({ text: { text, literal: false }, cwds, via: [...via, "subscript"] });
  }
  for (const value of word.pieces.flatMap((piece) => promptValues(piece, collected))) {
    doubt(collected, "a value is expanded as a prompt");
    collected.scripts.push({ text: guessText(value, collected.known), cwds, via: [...via, "prompt"] });
  }
}

/** Bash expands the file after `>&` a second time, after quote removal. */
function addTwiceExpanded(target: LexedWord, { cwds, via }: Origin, collected: Collected): void {
  const { text } = guessText(target, collected.known);
  if (!/[$`\\'"]/.test(text)) return;
  collected.findings.fault ??= "the file after >& is expanded twice";
  collected.scripts.push({ text: { text, literal: false }, cwds, via: [...via, "redirect"] });
}

function promptValues(piece: Piece, { known }: Collected): readonly LexedWord[] {
  return piece.kind === "variable" && piece.operator === "@P" ? (known.values.get(piece.name) ?? []) : [];
}

function allWords(tokens: readonly Token[]): readonly LexedWord[] {
  const words: LexedWord[] = [];
  for (const token of tokens) {
    if (token.kind === "word") words.push(token.word);
    else if (token.kind === "redirect") words.push(token.document?.body ?? token.target);
    else if (token.kind === "condition") words.push(...token.words);
  }
  return words;
}

import type { Word } from "../../core/command.ts";
import { spend } from "../syntax/budget.ts";
import { expandBraces } from "./expand-braces.ts";
import type { Known } from "./collected.ts";
import type { Code, LexedWord, Piece, Token, VariablePiece } from "./lexed.ts";
import { plainText, textOf } from "./piece-list.ts";
import { printedBy } from "../syntax/printed-text.ts";

const MAX_WITHIN = 6;
const MAX_VALUE = 4096;

/**
 * Expands a word as a shell would, to any number of words. If the result depends on unknown state, returns the best guess,
 * marked as not literal. An expansion of unknown value is one unknown word in the first variant, and nothing in the next.
 */
export function guessWords(word: LexedWord, known: Known): readonly Word[] {
  if (word.fixed !== undefined) return word.fixed;
  const alternatives = expandBraces(word.pieces);
  if (alternatives === undefined) {
    // What is left out could be any path or program.
    spend(known.budget, known.budget.left + 1);
    return [];
  }
  const literal = alternatives[0] === word.pieces && isLiteral(word.pieces);
  if (alternatives[0] === word.pieces) return fieldsOf(expandTilde(word.pieces, known), known, literal);
  return alternatives.flatMap((pieces) => fieldsOf(expandTilde(pieces, known), known, literal));
}

/** Expands several words. */
export function guessAll(words: readonly LexedWord[], known: Known): readonly Word[] {
  const all: Word[] = [];
  for (const word of words) all.push(...guessWords(word, known));
  return all;
}

/** Expands the words among the tokens. */
export function guessTokens(tokens: readonly Token[], known: Known): readonly Word[] {
  const all: Word[] = [];
  for (const token of tokens) if (token.kind === "word") all.push(...guessWords(token.word, known));
  return all;
}

/** Expands a word without field splitting: the target of a redirect, a value or a document. */
export function guessText(word: LexedWord, known: Known): Word {
  if (word.fixed !== undefined) return word.fixed[0];
  return { text: joinPieces(expandTilde(word.pieces, known), known), literal: isLiteral(word.pieces) };
}

/** Returns true if a shell expands nothing in a word. */
export function isFixed({ fixed, pieces }: LexedWord): boolean {
  return fixed === undefined ? isLiteral(pieces) : fixed[0].literal;
}

/** Returns the number of guesses to try: one per value of a variable in the word, and one for no value. */
export function countVariants(word: LexedWord, known: Known): number {
  if (word.fixed !== undefined) return 1;
  let count = 1;
  for (const piece of word.pieces) {
    if (piece.kind === "code") count = Math.max(count, 2);
    if (piece.kind === "variable")
      count = Math.max(count, Math.max(1, known.values.get(piece.name)?.length ?? 0) + 1);
  }
  return count;
}

interface Fields {
  readonly done: Word[];
  text: string;
  /** There is a word even if its text is empty. */
  isOpen: boolean;
}

function fieldsOf(pieces: readonly Piece[], known: Known, literal: boolean): readonly Word[] {
  const fields: Fields = { done: [], text: "", isOpen: false };
  for (const piece of pieces) addPiece(fields, piece, known);
  if (fields.isOpen) fields.done.push({ text: fields.text, literal });
  return fields.done.length === 1 ? fields.done : fields.done.map(({ text }) => ({ text, literal: false }));
}

function addPiece(fields: Fields, piece: Piece, known: Known): void {
  if (piece.kind === "text") {
    fields.text += piece.text;
    fields.isOpen = true;
    return;
  }
  const values = valuesOf(piece, known);
  const isWhole = piece.kind !== "array" && piece.isQuoted;
  const isList = piece.kind === "variable" && isAllOf(piece);
  if (isWhole && !isList) {
    fields.text += values.join(" ");
    fields.isOpen = true;
    return;
  }
  const isUnknown = known.variant === 0 && values.join("") === "";
  const parts = isUnknown ? [nameOf(piece)] : isWhole ? values : values.join(" ").split(/[ \t\n]/);
  for (const [index, part] of parts.entries()) {
    if (index > 0) endField(fields);
    fields.text += part;
    fields.isOpen ||= part !== "";
  }
}

/** Returns a text that stands for a value which is only known at run time. */
function nameOf(piece: Piece): string {
  return piece.kind === "variable" ? `$${piece.name}` : "$(…)";
}

function endField(fields: Fields): void {
  if (fields.isOpen) fields.done.push({ text: fields.text, literal: false });
  fields.text = "";
  fields.isOpen = false;
}

function isAllOf({ name, subscript }: VariablePiece): boolean {
  return name === "@" || name === "*" || subscript === "@" || subscript === "*";
}

function joinPieces(pieces: readonly Piece[], known: Known): string {
  return pieces
    .map((piece) =>
      piece.kind === "text" ? piece.text : valuesOf(piece, known).join(" ").slice(0, MAX_VALUE),
    )
    .join("");
}

function valuesOf(piece: Exclude<Piece, { readonly kind: "text" }>, known: Known): readonly string[] {
  if (piece.kind === "number") return ["0"];
  if (known.within.length >= MAX_WITHIN || !spend(known.budget, 1)) return [];
  const further = { ...known, within: [...known.within, piece.kind === "variable" ? piece.name : ""] };
  if (piece.kind === "array")
    return piece.items.flatMap((item) => guessWords(item, further).map(({ text }) => text));
  if (piece.kind === "code") return [guessOutput(piece.code, further)];
  return variableValues(piece, further);
}

function variableValues(piece: VariablePiece, known: Known): readonly string[] {
  const direct = valuesOfName(piece.name, piece.subscript, known);
  const values = piece.isIndirect ? valuesOfName(direct[0] ?? "", undefined, known) : direct;
  const isEmpty = values.join("") === "";
  if (piece.operator.endsWith("+"))
    return known.variant === 0 || !isEmpty ? [joinPieces(piece.operand, known)] : [];
  if (/^:?[-=]$/.test(piece.operator) && isEmpty) return [joinPieces(piece.operand, known)];
  if (piece.operator === ":") return values.map((value) => cut(value, joinPieces(piece.operand, known)));
  return values;
}

function cut(value: string, operand: string): string {
  const [offset = 0, length] = operand.split(":").map((part) => Number(part.trim()) || 0);
  const rest = value.slice(offset);
  return length === undefined ? rest : rest.slice(0, length);
}

function valuesOfName(name: string, subscript: string | undefined, known: Known): readonly string[] {
  const knownValues = known.values.get(name);
  if (knownValues === undefined) return [valueByDefault(name, known)];
  // In `x=${x}m` the inner value is the previous one.
  const earlier = Math.max(0, known.within.filter((one) => one === name).length - 1);
  const word = knownValues.at(-1 - known.variant - earlier);
  if (word === undefined) return [valueByDefault(name, known)];
  const [first] = word.pieces;
  if (first?.kind !== "array") return [guessText(word, known).text];
  const values = valuesOf(first, known);
  if (subscript === "@" || subscript === "*" || name === "@" || name === "*") return values;
  return values.slice(Number(subscript ?? 0), Number(subscript ?? 0) + 1);
}

/** The values of variables that the text does not set. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ["IFS", " \t\n"],
  ["SHELL", "/bin/bash"],
  ["BASH", "/bin/bash"],
  ["0", "bash"],
  ...["#", "?", "$"].map((name) => [name, "0"] as const),
]);

function valueByDefault(name: string, { home = "", cwd }: Known): string {
  if (name === "HOME") return home;
  return name === "PWD" ? cwd : (DEFAULTS.get(name) ?? "");
}

/** Returns the output of a substitution that is only `echo` or `printf`. */
function guessOutput({ tokens, how }: Code, known: Known): string {
  if (how === "process substitution") return "/dev/fd/63";
  if (tokens.some(({ kind }) => kind !== "word")) return "";
  return printedBy(guessTokens(tokens, known)) ?? "";
}

/** Returns true if no shell expands the word. */
function isLiteral(pieces: readonly Piece[]): boolean {
  const plain = plainText(pieces);
  if (plain === "[" || plain === "]") return true;
  const isBraced = pieces.some(
    (piece) => piece.kind === "text" && !piece.isQuoted && piece.text.includes("{"),
  );
  if (isBraced && /,|\.\./.test(textOf(pieces))) return false;
  return pieces.every(
    (piece) => piece.kind === "text" && (piece.isQuoted || !/[*?[(]|^~|[=:]~/.test(piece.text)),
  );
}

function expandTilde(pieces: readonly Piece[], { home }: Known): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (home === undefined || first?.kind !== "text" || first.isQuoted || !/^~(?:\/|$)/.test(first.text))
    return pieces;
  return [{ ...first, text: home + first.text.slice(1) }, ...rest];
}

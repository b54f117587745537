import type { Code, ConditionToken, LexedWord, Piece } from "./lexed.ts";
import { createPieceList, plainText, type PieceList } from "./piece-list.ts";
import { readSpecial } from "./read-expansion.ts";
import { nested, fault, hasMore, recordValue, type Scan } from "./scan.ts";

const PLAIN = /[\w\-./:,%=~^{}[\]]+/y;
const ENDS_WORD = /[ \t\n;&|<>()]/;
const MOVES = /(?:^|\W)(?:cd|chdir|pushd|popd|source|\.)(?:\W|$)/;
const BEFORE_LIST = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/;

/** A `pattern` is a word of `[[ … ]]` and may contain parentheses and bars. */
type WordKind = "word" | "pattern";

/**
 * Reads one word as pieces: literal text and expansions, quoted or not. Ends where a shell ends the word; records a fault
 * if a shell rejects the text or shells differ.
 */
export function readWord(scan: Scan, kind: WordKind = "word"): LexedWord {
  const outer = scan.codes;
  scan.codes = [];
  const start = scan.at;
  const into = createPieceList();
  while (hasMore(scan)) {
    if (readSpecial(scan, into, "none")) continue;
    const char = scan.text.charAt(scan.at);
    if (ENDS_WORD.test(char)) {
      if (readInner(scan, into, kind)) continue;
      break;
    }
    PLAIN.lastIndex = scan.at;
    const run = PLAIN.exec(scan.text)?.[0] ?? char;
    into.addPlain(run);
    scan.at += run.length;
  }
  const fixed = fixedWord(into.pieces);
  const word = {
    pieces: into.pieces,
    source: scan.text.slice(start, scan.at),
    codes: scan.codes,
    ...(fixed === undefined ? {} : { fixed }),
  };
  scan.codes = outer;
  if (MOVES.test(word.source)) scan.findings.moves = true;
  recordAssignment(scan, word);
  return word;
}

/** Characters that are never expanded; most words contain no others. */
const FIXED = /^[\w\-./,%+=@^]*$/;

function fixedWord([first, ...more]: readonly Piece[]): LexedWord["fixed"] {
  if (first?.kind !== "text" || more.length > 0) return undefined;
  return first.isQuoted || FIXED.test(first.text) ? [{ text: first.text, literal: true }] : undefined;
}

/** Reads a character that ends most words but not this one: `<(`, `@(`, `name=(`. */
function readInner(scan: Scan, into: PieceList, kind: WordKind): boolean {
  const char = scan.text.charAt(scan.at);
  const next = scan.text.charAt(scan.at + 1);
  if ((char === "<" || char === ">") && next === "(") return readProcess(scan, into);
  if (char === "(" && BEFORE_LIST.test(plainText(into.pieces) ?? "")) return readList(scan, into);
  if (kind === "pattern") return readPattern(scan, into);
  const last = into.pieces.at(-1);
  const isGlob = last?.kind === "text" && !last.isQuoted && /[?*+@!]$/.test(last.text);
  // `name@ ()` defines a function; any other parenthesis after these characters begins a pattern or is an error.
  if (char !== "(" || !isGlob || /^\([ \t]*\)/.test(scan.text.slice(scan.at, scan.at + 8))) return false;
  return readPattern(scan, into);
}

function readProcess(scan: Scan, into: PieceList): boolean {
  scan.at += 2;
  const codes = scan.codes;
  scan.codes = [];
  const read = () => scan.readCode(scan, ")", "process substitution");
  const code = nested(scan, read, { tokens: [], how: "process substitution" as const });
  scan.codes = codes;
  codes.push(code);
  into.add({ kind: "code", code, isQuoted: false });
  return true;
}

function readList(scan: Scan, into: PieceList): boolean {
  scan.at += 1;
  const items: LexedWord[] = [];
  nested(scan, () => readItems(scan, items), undefined);
  into.add({ kind: "array", items });
  return true;
}

function readItems(scan: Scan, items: LexedWord[]): void {
  while (hasMore(scan)) {
    const char = scan.text.charAt(scan.at);
    if (char === "#") {
      while (scan.at < scan.text.length && scan.text[scan.at] !== "\n") scan.at += 1;
    } else if (/[ \t\n]/.test(char)) scan.at += 1;
    else if (char === ")") {
      scan.at += 1;
      return;
    } else {
      const before = scan.at;
      const item = readWord(scan);
      scan.codes.push(...item.codes);
      items.push(item);
      if (scan.at === before) {
        fault(scan, `unexpected ${char} in a list of values`);
        return;
      }
    }
  }
  fault(scan, "a list of values is not closed");
}

/** Reads from `(` to its `)`, or a bar, as part of a pattern. Blanks end it only outside parentheses. */
function readPattern(scan: Scan, into: PieceList): boolean {
  const char = scan.text.charAt(scan.at);
  if (char === "|") {
    if (scan.text[scan.at + 1] === "|") return false;
    into.addPlain(char);
    scan.at += 1;
    return true;
  }
  if (char !== "(") return false;
  let open = 0;
  while (hasMore(scan)) {
    if (readSpecial(scan, into, "none")) continue;
    const inside = scan.text.charAt(scan.at);
    into.addPlain(inside);
    scan.at += 1;
    if (inside === "(") open += 1;
    if (inside === ")") open -= 1;
    if (open === 0) return true;
  }
  fault(scan, "a pattern is not closed");
  return true;
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

/** Returns the name and the length of `name=` if the word is an assignment. */
export function assignmentOf(
  word: LexedWord,
): { readonly name: string; readonly length: number } | undefined {
  const [first] = word.pieces;
  if (first?.kind !== "text" || first.isQuoted) return undefined;
  const match = ASSIGNMENT.exec(first.text);
  return match === null ? undefined : { name: match[1] ?? "", length: match[0].length };
}

/** Records the value of an assignment, in any position: the order of execution is unknown. */
function recordAssignment(scan: Scan, word: LexedWord): void {
  const assigned = assignmentOf(word);
  const [first, ...rest] = word.pieces;
  if (assigned === undefined || first?.kind !== "text") return;
  const value = first.text.slice(assigned.length);
  const pieces = value === "" ? rest : [{ ...first, text: value }, ...rest];
  recordValue(scan, assigned.name, pieces);
}

const CONDITION_OPERATOR = /&&|\|\||[<>()]/y;

/** Reads a condition after its `[[`, including its `]]`. An invalid character ends it, so that it hides no commands. */
export function readCondition(scan: Scan): ConditionToken {
  const words: LexedWord[] = [];
  const codes: Code[] = [];
  while (hasMore(scan)) {
    const char = scan.text.charAt(scan.at);
    if (/[ \t\n]/.test(char)) {
      scan.at += 1;
      continue;
    }
    const before = words.at(-1);
    const isRegex = before !== undefined && plainText(before.pieces) === "=~";
    if (readConditionOperator(scan, isRegex)) continue;
    const start = scan.at;
    const word = readWord(scan, "pattern");
    if (scan.at === start) break;
    if (plainText(word.pieces) === "]]") return { kind: "condition", words, codes, isLoopHead: false };
    words.push(word);
    codes.push(...word.codes);
  }
  fault(scan, "a [[ is not closed");
  return { kind: "condition", words, codes, isLoopHead: false };
}

function readConditionOperator(scan: Scan, isRegex: boolean): boolean {
  CONDITION_OPERATOR.lastIndex = scan.at;
  const operator = CONDITION_OPERATOR.exec(scan.text)?.[0];
  if (operator === undefined || (isRegex && operator === "(")) return false;
  if (/^[<>]\(/.test(scan.text.slice(scan.at, scan.at + 2))) return false;
  scan.at += operator.length;
  return true;
}

import type { GrammarPlace } from "./grammar-place.ts";
import { passClose, passOpen, passOperator, passWord } from "./grammar-place.ts";
import type { Code, LexedWord, Token } from "./lexed.ts";
import { createPieceList, plainText, textOf } from "./piece-list.ts";
import { readCondition } from "./read-condition.ts";
import { readDocuments } from "./read-document.ts";
import { noteLists } from "./note-lists.ts";
import { readArithmetic } from "./read-expansion.ts";
import { readWord } from "./read-word.ts";
import type { Closer, PendingDocument, Scan } from "./scan.ts";
import { fault, giveUp, hasMore, joinLines } from "./scan.ts";

const MAX_TOKENS = 8000;
const MAX_OPEN = 150;
const OPERATOR = /;;&|;;|;&|;|&&|&(?!>)|\|\||\|&|\|/y;
const REDIRECT = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<>|<&|>>|>\||>&|<(?!\()|>(?!\())|&>>|&>/y;

const MAY_REDIRECT = /[\d{<>&;|]/;

/** A text that is being cut into tokens. */
interface Reading {
  readonly tokens: Token[];
  readonly place: GrammarPlace;
  readonly pending: PendingDocument[];
}

/**
 * Cuts commands into tokens, up to behind their closer, and tells keywords from words as the grammar does. Quotes,
 * expansions, comments and here-documents are settled here, so that whoever parses the tokens cannot mistake them.
 */
export function readCode(scan: Scan, closer: Closer, how: Code["how"]): Code {
  const reading: Reading = { tokens: [], place: { expected: "command", open: [] }, pending: [] };
  let isClosed = false;
  while (!isClosed && hasMore(scan)) {
    isClosed = readNext(scan, reading, closer);
    scan.findings.tokens += 1;
    if (scan.findings.tokens > MAX_TOKENS || reading.place.open.length > MAX_OPEN)
      giveUp(scan, "it is too long");
  }
  if (!isClosed && closer !== "") fault(scan, `a ${closer} is missing`);
  if (reading.pending.length > 0) fault(scan, "a here-document has no body");
  noteLists(scan, reading.tokens);
  return { tokens: reading.tokens, how };
}

/** True where the closer was read. */
function readNext(scan: Scan, reading: Reading, closer: Closer): boolean {
  const char = scan.text.charAt(scan.at);
  if (char === " " || char === "\t") scan.at += 1;
  else if (char === "#") skipComment(scan);
  else if (char === "\n") readLineEnd(scan, reading);
  else if (char === "(") readOpen(scan, reading);
  else if (char === ")") return readClose(scan, reading, closer);
  else if (closer === "}" && char === "}" && reading.place.expected === "command") {
    scan.at += 1;
    return true;
  } else if (!MAY_REDIRECT.test(char) || !(readRedirect(scan, reading) || readOperator(scan, reading))) {
    readNextWord(scan, reading);
  }
  return false;
}

function skipComment(scan: Scan): void {
  const end = scan.text.indexOf("\n", scan.at);
  scan.at = end < 0 ? scan.text.length : end;
}

function readLineEnd(scan: Scan, reading: Reading): void {
  scan.at += 1;
  readDocuments(scan, reading.pending.splice(0));
  // Between `for name` and its `in` a line's end means nothing, and a parser may not know that.
  if (reading.place.expected !== "loop in") pushOperator(reading, "\n");
  passOperator(reading.place, "\n");
}

function readOpen(scan: Scan, reading: Reading): void {
  const { place, tokens } = reading;
  const isLoopHead = place.expected === "loop variable";
  if (scan.text[scan.at + 1] === "(" && (place.expected === "command" || isLoopHead)) {
    scan.at += 2;
    const codes = scan.codes;
    scan.codes = [];
    const token = { kind: "condition", words: [], codes: scan.codes, isLoopHead } as const;
    const isArithmetic = readArithmetic(scan, createPieceList());
    scan.codes = codes;
    if (isArithmetic) {
      tokens.push(token);
      place.expected = isLoopHead ? "command" : "after compound";
      return;
    }
    if (scan.text[scan.at] === "(") fault(scan, "a ((( is no arithmetic");
    scan.at -= 2;
  }
  scan.at += 1;
  if ((place.expected === "argument" || place.expected === "command") && readEmptyParentheses(scan)) {
    noteFunction(scan, tokens.at(-1));
    pushOperator(reading, "(");
    pushOperator(reading, ")");
    place.expected = "command";
    return;
  }
  if (passOpen(place) === "misplaced") fault(scan, "a ( stands where no shell expects it");
  pushOperator(reading, "(");
}

function noteFunction(scan: Scan, name: Token | undefined): void {
  if (name?.kind === "word") scan.findings.functions.add(textOf(name.word.pieces));
}

function readEmptyParentheses(scan: Scan): boolean {
  const match = /^[ \t]*\)/.exec(scan.text.slice(scan.at, scan.at + 64));
  scan.at += match?.[0].length ?? 0;
  return match !== null;
}

function readClose(scan: Scan, reading: Reading, closer: Closer): boolean {
  scan.at += 1;
  const closed = passClose(reading.place);
  if (closed === "outside" && closer === ")") return true;
  if (closed === "outside" || closed === "misplaced") fault(scan, "a ) stands where no shell expects it");
  if (closed === "outside") passOperator(reading.place, ";");
  pushOperator(reading, closed === "outside" ? ";" : ")");
  return false;
}

function readOperator(scan: Scan, reading: Reading): boolean {
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0];
  if (operator === undefined) return false;
  scan.at += operator.length;
  pushOperator(reading, operator);
  passOperator(reading.place, operator);
  return true;
}

function readRedirect(scan: Scan, { tokens, place, pending }: Reading): boolean {
  REDIRECT.lastIndex = scan.at;
  const match = REDIRECT.exec(scan.text)?.[0];
  if (match === undefined) return false;
  const isOfCompound = place.expected === "after compound";
  scan.at += match.length;
  skipBlanks(scan);
  const target = readWord(scan);
  if (target.source === "") fault(scan, "a redirect names no file");
  const operator = match.replace(/^(?:\d+|\{\w+\})/, "");
  const document = operator === "<<" || operator === "<<-" ? { body: target } : undefined;
  tokens.push({
    kind: "redirect",
    operator,
    target,
    isOfCompound,
    ...(document === undefined ? {} : { document }),
  });
  if (document !== undefined) {
    const isQuoted = /['"\\]/.test(target.source);
    if (/[$`]/.test(target.source)) fault(scan, "the end of a here-document is named by an expansion");
    pending.push({ document, delimiter: textOf(target.pieces), isQuoted, isIndented: operator === "<<-" });
  }
  if (!isOfCompound) place.expected = "argument";
  return true;
}

function skipBlanks(scan: Scan): void {
  joinLines(scan);
  while (scan.text[scan.at] === " " || scan.text[scan.at] === "\t") {
    scan.at += 1;
    joinLines(scan);
  }
}

/** Named apart from the parser's grammar: a name before a compound command is the name of the process. */
const NAMED_PROCESS = /[ \t]+[A-Za-z_]\w*(?=[ \t]+(?:[{(]|(?:if|while|until|for|case|select|\[\[)[ \t\n]))/y;

function readNextWord(scan: Scan, reading: Reading): void {
  const { tokens, place } = reading;
  const isFirst = place.expected === "command";
  if (isFirst && scan.text[scan.at] === "!" && /[ \t\n(]/.test(scan.text.charAt(scan.at + 1))) {
    // It turns the outcome round and changes nothing else.
    scan.at += 1;
    return;
  }
  const start = scan.at;
  const word = readWord(scan);
  if (scan.at === start) {
    giveUp(scan, "it has a character that no shell expects there");
    return;
  }
  const text = plainWord(word);
  if (isFirst && text !== undefined && readPrefix(scan, reading, text)) return;
  const isName = place.expected === "function name";
  const isKeyword = passWord(place, text);
  if (isName) scan.findings.functions.add(textOf(word.pieces));
  tokens.push(isKeyword && text !== undefined ? { kind: "keyword", text } : { kind: "word", word });
}

/** Reads what stands before a command or in its place; false for any other word. */
function readPrefix(scan: Scan, { tokens, place }: Reading, text: string): boolean {
  if (text === "time" && !isPiped(tokens.at(-1))) {
    skipOption(scan);
    return true;
  }
  if (text === "coproc") {
    NAMED_PROCESS.lastIndex = scan.at;
    scan.at += NAMED_PROCESS.exec(scan.text)?.[0].length ?? 0;
    return true;
  }
  if (text !== "[[") return false;
  tokens.push(readCondition(scan));
  place.expected = "after compound";
  return true;
}

/** The text of a word in which nothing is quoted or escaped, so that it can be a keyword. */
function plainWord(word: LexedWord): string | undefined {
  const text = plainText(word.pieces);
  return text === word.source ? text : undefined;
}

/** Behind a bar `time` is a program like any other. */
function isPiped(before: Token | undefined): boolean {
  return before?.kind === "operator" && before.text.startsWith("|") && before.text !== "||";
}

/** `time -p`, `time --`: the command begins behind them. */
function skipOption(scan: Scan): void {
  const match = /^(?:[ \t]+-p(?=[ \t]))?(?:[ \t]+--(?=[ \t]))?/.exec(scan.text.slice(scan.at, scan.at + 256));
  scan.at += match?.[0].length ?? 0;
}

function pushOperator({ tokens }: Reading, text: string): void {
  tokens.push({ kind: "operator", text });
}

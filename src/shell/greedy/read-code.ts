import { spend, TOO_COSTLY } from "../syntax/budget.ts";
import {
  closeParenthesis,
  openParenthesis,
  acceptOperator,
  acceptWord,
  type GrammarState,
} from "./grammar-state.ts";
import type { Code, LexedWord, Token } from "./lexed.ts";
import { createPieceList, plainText, textOf } from "./piece-list.ts";
import { readDocuments } from "./read-document.ts";
import { collectValues } from "./collect-values.ts";
import { readArithmetic } from "./read-expansion.ts";
import { readCondition, readWord } from "./read-word.ts";
import { fault, giveUp, hasMore, joinLines, type Closer, type PendingDocument, type Scan } from "./scan.ts";

/** For the parser, which reads every token once more. */
const STEPS_PER_TOKEN = 10;
const MAX_OPEN = 150;
const OPERATOR = /;;&|;;|;&|;|&&|&(?!>)|\|\||\|&|\|/y;
const REDIRECT = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<<-|<<|<>|<&|>>|>\||>&|<(?!\()|>(?!\())|&>>|&>/y;

const MAY_REDIRECT = /[\d{<>&;|]/;

/** The state of tokenizing a text. */
interface Reading {
  readonly tokens: Token[];
  readonly state: GrammarState;
  readonly pending: PendingDocument[];
}

/**
 * Splits commands into tokens, up to and including their closer, and distinguishes keywords from words. Quotes, expansions,
 * comments and here-documents are resolved here, so that they cannot mislead the parser.
 */
export function readCode(scan: Scan, closer: Closer, how: Code["how"]): Code {
  const reading: Reading = { tokens: [], state: { expected: "command", open: [] }, pending: [] };
  let isClosed = false;
  while (!isClosed && hasMore(scan)) {
    isClosed = readNext(scan, reading, closer);
    if (!spend(scan.findings.budget, STEPS_PER_TOKEN)) giveUp(scan, TOO_COSTLY);
    if (reading.state.open.length > MAX_OPEN) giveUp(scan, "it is nested too deeply");
  }
  if (!isClosed && closer !== "") fault(scan, `a ${closer} is missing`);
  if (reading.pending.length > 0) fault(scan, "a here-document has no body");
  collectValues(scan, reading.tokens);
  return { tokens: reading.tokens, how };
}

/** Returns true if the closer was read. */
function readNext(scan: Scan, reading: Reading, closer: Closer): boolean {
  const char = scan.text.charAt(scan.at);
  if (char === " " || char === "\t") scan.at += 1;
  else if (char === "#") skipComment(scan);
  else if (char === "\n") readLineEnd(scan, reading);
  else if (char === "(") readOpen(scan, reading);
  else if (char === ")") return readClose(scan, reading, closer);
  else if (closer === "}" && char === "}" && reading.state.expected === "command") {
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
  // Between `for name` and its `in` a line break has no meaning; some parsers reject it.
  if (reading.state.expected !== "loop in") pushOperator(reading, "\n");
  acceptOperator(reading.state, "\n");
}

function readOpen(scan: Scan, reading: Reading): void {
  const { state, tokens } = reading;
  const isLoopHead = state.expected === "loop variable";
  if (scan.text[scan.at + 1] === "(" && (state.expected === "command" || isLoopHead)) {
    scan.at += 2;
    const codes = scan.codes;
    scan.codes = [];
    const token = { kind: "condition", words: [], codes: scan.codes, isLoopHead } as const;
    const isArithmetic = readArithmetic(scan, createPieceList());
    scan.codes = codes;
    if (isArithmetic) {
      tokens.push(token);
      state.expected = isLoopHead ? "command" : "after compound";
      return;
    }
    if (scan.text[scan.at] === "(") fault(scan, "a ((( is not arithmetic");
    scan.at -= 2;
  }
  scan.at += 1;
  if ((state.expected === "argument" || state.expected === "command") && readEmptyParentheses(scan)) {
    const name = tokens.at(-1);
    if (name?.kind === "word") scan.findings.functions.add(textOf(name.word.pieces));
    pushOperator(reading, "(");
    pushOperator(reading, ")");
    state.expected = "command";
    return;
  }
  if (openParenthesis(state) === "misplaced") fault(scan, "unexpected (");
  pushOperator(reading, "(");
}

function readEmptyParentheses(scan: Scan): boolean {
  const match = /^[ \t]*\)/.exec(scan.text.slice(scan.at, scan.at + 64));
  scan.at += match?.[0].length ?? 0;
  return match !== null;
}

function readClose(scan: Scan, reading: Reading, closer: Closer): boolean {
  scan.at += 1;
  const closed = closeParenthesis(reading.state);
  if (closed === "outside" && closer === ")") return true;
  if (closed === "outside" || closed === "misplaced") fault(scan, "unexpected )");
  if (closed === "outside") acceptOperator(reading.state, ";");
  pushOperator(reading, closed === "outside" ? ";" : ")");
  return false;
}

function readOperator(scan: Scan, reading: Reading): boolean {
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0];
  if (operator === undefined) return false;
  scan.at += operator.length;
  pushOperator(reading, operator);
  acceptOperator(reading.state, operator);
  return true;
}

function readRedirect(scan: Scan, { tokens, state, pending }: Reading): boolean {
  REDIRECT.lastIndex = scan.at;
  const match = REDIRECT.exec(scan.text)?.[0];
  if (match === undefined) return false;
  const isOfCompound = state.expected === "after compound";
  scan.at += match.length;
  skipBlanks(scan);
  const target = readWord(scan);
  if (target.source === "") fault(scan, "a redirect has no file");
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
    if (/[$`]/.test(target.source)) fault(scan, "the delimiter of a here-document contains an expansion");
    pending.push({ document, delimiter: textOf(target.pieces), isQuoted, isIndented: operator === "<<-" });
  }
  if (!isOfCompound) state.expected = "argument";
  return true;
}

function skipBlanks(scan: Scan): void {
  joinLines(scan);
  while (scan.text[scan.at] === " " || scan.text[scan.at] === "\t") {
    scan.at += 1;
    joinLines(scan);
  }
}

/** The name of a coprocess before a compound command; the parser does not know it. */
const NAMED_PROCESS = /[ \t]+[A-Za-z_]\w*(?=[ \t]+(?:[{(]|(?:if|while|until|for|case|select|\[\[)[ \t\n]))/y;

function readNextWord(scan: Scan, reading: Reading): void {
  const { tokens, state } = reading;
  const isFirst = state.expected === "command";
  if (isFirst && scan.text[scan.at] === "!" && /[ \t\n(]/.test(scan.text.charAt(scan.at + 1))) {
    // It only negates the exit status.
    scan.at += 1;
    return;
  }
  const start = scan.at;
  const word = readWord(scan);
  if (scan.at === start) {
    giveUp(scan, "it contains an unexpected character");
    return;
  }
  const text = plainWord(word);
  if (isFirst && text !== undefined && readPrefix(scan, reading, text)) return;
  const isName = state.expected === "function name";
  const isKeyword = acceptWord(state, text);
  if (isName) scan.findings.functions.add(textOf(word.pieces));
  tokens.push(isKeyword && text !== undefined ? { kind: "keyword", text } : { kind: "word", word });
}

/** Reads `time`, `coproc` or `[[` before or instead of a command. Returns false for any other word. */
function readPrefix(scan: Scan, { tokens, state }: Reading, text: string): boolean {
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
  state.expected = "after compound";
  return true;
}

/** Returns the text of a word without quotes and escapes, which can be a keyword. */
function plainWord(word: LexedWord): string | undefined {
  const text = plainText(word.pieces);
  return text === word.source ? text : undefined;
}

/** After a bar `time` is an ordinary program. */
function isPiped(before: Token | undefined): boolean {
  return before?.kind === "operator" && before.text.startsWith("|") && before.text !== "||";
}

/** Skips the option in `time -p` and `time --`. */
function skipOption(scan: Scan): void {
  const match = /^(?:[ \t]+-p(?=[ \t]))?(?:[ \t]+--(?=[ \t]))?/.exec(scan.text.slice(scan.at, scan.at + 256));
  scan.at += match?.[0].length ?? 0;
}

function pushOperator({ tokens }: Reading, text: string): void {
  tokens.push({ kind: "operator", text });
}

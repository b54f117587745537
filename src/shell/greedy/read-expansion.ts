import type { Piece, VariablePiece } from "./lexed.ts";
import { createPieceList, textOf, type PieceList } from "./piece-list.ts";
import { readAnsiQuoted, readSingleQuoted } from "./read-quoted.ts";
import { nested, fault, hasMore, innerScan, joinLines, recordValue, type Scan } from "./scan.ts";

const PLAIN = /[\w \n\-./:,%+=~@^;|&<>*?#!{]+/y;
const NAME = /[A-Za-z_]\w*/y;
const PARAMETER = /[A-Za-z_]\w*|\d+|[@*#?$!_-]/y;
const OPERATOR = /:?[-=?+]|:|##?|%%?|\/[/#%]?|\^\^?|,,?|@[A-Za-z]/y;

/** What encloses the text: nothing, double quotes, or a here-document, in which quotes are literal. */
export type Quoting = "none" | "double" | "document";

/** What ends the text in which expansions are read. */
type Ending = '"' | "}" | "))" | "]" | "";

/** Reads what begins with a dollar, backtick, quote or backslash. Returns false if the character is literal. */
export function readSpecial(scan: Scan, into: PieceList, quoting: Quoting): boolean {
  const char = scan.text.charAt(scan.at);
  if (char === "`") {
    readBackticks(scan, into, quoting);
    return true;
  }
  if (char === "$") return readDollar(scan, into, quoting);
  if (char === "\\") {
    readEscaped(scan, into, quoting);
    return true;
  }
  if (quoting !== "none" || (char !== "'" && char !== '"')) return false;
  if (char === "'") into.addQuoted(readSingleQuoted(scan));
  else readDoubleQuoted(scan, into);
  return true;
}

/** Reads text in which only expansions are special, such as the body of a here-document. */
export function readExpanded(scan: Scan): readonly Piece[] {
  const into = createPieceList();
  readUntil(scan, into, "", "document");
  return into.pieces;
}

/** Reads arithmetic after its `((`, including its `))`. Returns false and reads nothing if there is no `))`. */
export function readArithmetic(scan: Scan, into: PieceList): boolean {
  const start = { at: scan.at, codes: scan.codes.length, fault: scan.findings.fault };
  if (nested(scan, () => readUntil(scan, into, "))", "double"), true)) {
    if (!scan.findings.isStopped && !isPlainArithmetic(scan.text.slice(start.at, scan.at - 2))) {
      fault(scan, "arithmetic may be parsed as commands");
    }
    return true;
  }
  scan.at = start.at;
  scan.codes.length = start.codes;
  if (start.fault === undefined) delete scan.findings.fault;
  return false;
}

/**
 * Bash counts parentheses and quotes to distinguish arithmetic from commands. `a) b;;`, a comment or a here-document inside
 * confuses it.
 */
function isPlainArithmetic(text: string): boolean {
  if (text.includes("$(") && /(?:^|\s)#|<</.test(text)) return false;
  let open = 0;
  for (const [char] of text.matchAll(/[()]/g)) {
    open += char === "(" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}

const ESCAPABLE: Readonly<Record<Quoting, RegExp>> = { none: /[^]/, double: /[$`"\\]/, document: /[$`\\]/ };

function readEscaped(scan: Scan, into: PieceList, quoting: Quoting): void {
  const next = scan.text.charAt(scan.at + 1);
  if (next === "") {
    fault(scan, "it ends with a \\");
    into.addQuoted("\\");
  } else into.addQuoted(ESCAPABLE[quoting].test(next) ? next : `\\${next}`);
  scan.at += 2;
}

function readDoubleQuoted(scan: Scan, into: PieceList): void {
  scan.at += 1;
  into.addQuoted("");
  nested(scan, () => readUntil(scan, into, '"', "double"), true);
}

/** Reads up to and including the ending. Returns false if arithmetic is closed by a single parenthesis. */
function readUntil(scan: Scan, into: PieceList, ending: Ending, quoting: Quoting): boolean {
  let open = 0;
  while (hasMore(scan)) {
    const char = scan.text.charAt(scan.at);
    if (char === ending && open === 0) {
      scan.at += 1;
      return true;
    }
    if (char === ")" && ending === "))" && open === 0) return closesTwice(scan);
    open = Math.max(0, open + nesting(char, ending));
    // Such a quote is literal in some shells and begins a string in others.
    if ((char === "'" || char === '"') && quoting === "double" && ending !== '"') {
      fault(scan, "an expansion in quotes contains quotes");
    }
    if (readSpecial(scan, into, quoting)) continue;
    const run = matchAt(PLAIN, scan.text, scan.at) ?? char;
    if (quoting === "none") into.addPlain(run);
    else into.addQuoted(run);
    scan.at += run.length;
  }
  if (ending !== "") fault(scan, `a ${ending} is missing`);
  return true;
}

/** Returns how a character changes the number of open brackets. */
function nesting(char: string, ending: Ending): number {
  const [open, close] = ending === "))" ? "()" : ending === "]" ? "[]" : [];
  if (char === open) return 1;
  return char === close ? -1 : 0;
}

function closesTwice(scan: Scan): boolean {
  if (!scan.text.startsWith("))", scan.at)) return false;
  scan.at += 2;
  return true;
}

/** Backticks end at the first unescaped backtick, even inside quotes. */
function readBackticks(scan: Scan, into: PieceList, quoting: Quoting): void {
  let end = scan.at + 1;
  while (end < scan.text.length && scan.text[end] !== "`") end += scan.text[end] === "\\" ? 2 : 1;
  if (end >= scan.text.length) fault(scan, "a ` is not closed");
  const escapes = quoting === "double" ? /\\([$`\\"])/g : /\\([$`\\])/g;
  const inner = innerScan(scan, scan.text.slice(scan.at + 1, end).replace(escapes, "$1"));
  scan.at = end + 1;
  readCodePiece(inner, into, quoting, "");
}

function readCodePiece(scan: Scan, into: PieceList, quoting: Quoting, closer: "" | ")" | "}"): void {
  const codes = scan.codes;
  scan.codes = [];
  const read = () => scan.readCode(scan, closer, "substitution");
  const code = nested(scan, read, { tokens: [], how: "substitution" as const });
  scan.codes = codes;
  codes.push(code);
  into.add({ kind: "code", code, isQuoted: quoting !== "none" });
}

function readDollar(scan: Scan, into: PieceList, quoting: Quoting): boolean {
  const next = scan.text.charAt(scan.at + 1);
  if (next === "(") {
    readParenthesized(scan, into, quoting);
    return true;
  }
  if (next === "{") {
    nested(scan, () => readBraced(scan, into, quoting), undefined);
    return true;
  }
  if (next === "[") {
    scan.at += 2;
    nested(scan, () => readUntil(scan, createPieceList(), "]", "double"), true);
    into.add({ kind: "number", isQuoted: quoting !== "none" });
    return true;
  }
  if (quoting === "none" && next === "'") {
    into.addQuoted(readAnsiQuoted(scan));
    return true;
  }
  if (quoting === "none" && next === '"') {
    scan.at += 1;
    readDoubleQuoted(scan, into);
    return true;
  }
  return readName(scan, into, quoting);
}

function readParenthesized(scan: Scan, into: PieceList, quoting: Quoting): void {
  scan.at += 2;
  if (scan.text[scan.at] === "(") {
    scan.at += 1;
    if (readArithmetic(scan, createPieceList())) {
      into.add({ kind: "number", isQuoted: quoting !== "none" });
      return;
    }
    scan.at -= 1;
    // Shells differ in whether it is a subshell, and in the meaning of a third parenthesis.
    fault(scan, "a $(( is not arithmetic");
  }
  readCodePiece(scan, into, quoting, ")");
}

function readName(scan: Scan, into: PieceList, quoting: Quoting): boolean {
  const name =
    matchAt(NAME, scan.text, scan.at + 1) ?? /[\d@*#?$!_-]/.exec(scan.text.charAt(scan.at + 1))?.[0];
  if (name === undefined) return false;
  into.add({
    kind: "variable",
    name,
    isQuoted: quoting !== "none",
    isIndirect: false,
    operator: "",
    operand: [],
  });
  scan.at += 1 + name.length;
  return true;
}

/** Reads `${…}`, up to the first `}` that is neither quoted nor part of a nested expansion. */
function readBraced(scan: Scan, into: PieceList, quoting: Quoting): void {
  scan.at += 2;
  joinLines(scan);
  if (/[\s|]/.test(scan.text.charAt(scan.at))) {
    // Newer shells run the inside as commands and use the output.
    fault(scan, "${ … } runs commands in some shells");
    scan.at += 1;
    readCodePiece(scan, into, quoting, "}");
    return;
  }
  const prefix = /^[!#](?=[\w@*?$!#-])/.exec(scan.text.slice(scan.at, scan.at + 2))?.[0] ?? "";
  const name = matchAt(PARAMETER, scan.text, scan.at + prefix.length) ?? "";
  scan.at += prefix.length + name.length;
  joinLines(scan);
  const subscript = readSubscript(scan);
  const operator = matchAt(OPERATOR, scan.text, scan.at) ?? "";
  scan.at += operator.length;
  const operand = createPieceList();
  readUntil(scan, operand, "}", quoting);
  const piece: VariablePiece = {
    kind: "variable",
    name,
    isQuoted: quoting !== "none",
    isIndirect: prefix === "!",
    ...(subscript === undefined ? {} : { subscript }),
    operator,
    operand: operand.pieces,
  };
  into.add(prefix === "#" ? { kind: "number", isQuoted: piece.isQuoted } : piece);
  if (/^:?=$/.test(operator)) recordValue(scan, name, operand.pieces);
}

function readSubscript(scan: Scan): string | undefined {
  if (scan.text[scan.at] !== "[") return undefined;
  scan.at += 1;
  const inside = createPieceList();
  readUntil(scan, inside, "]", "double");
  return textOf(inside.pieces);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

import type { Piece, VariablePiece } from "./lexed.ts";
import type { PieceList } from "./piece-list.ts";
import { createPieceList, textOf } from "./piece-list.ts";
import { readAnsiQuoted, readSingleQuoted } from "./read-quoted.ts";
import type { Scan } from "./scan.ts";
import { deeper, fault, hasMore, innerScan, joinLines, rememberValue } from "./scan.ts";

const PLAIN = /[\w \n\-./:,%+=~@^;|&<>*?#!{]+/y;
const NAME = /[A-Za-z_]\w*/y;
const PARAMETER = /[A-Za-z_]\w*|\d+|[@*#?$!_-]/y;
const OPERATOR = /:?[-=?+]|:|##?|%%?|\/[/#%]?|\^\^?|,,?|@[A-Za-z]/y;

/** What surrounds the text: nothing, double quotes, or a here-document, where a quote is not even escaped. */
export type Quoting = "none" | "double" | "document";

/** What ends the text that expansions are read in. */
type Ending = '"' | "}" | "))" | "]" | "";

/** Reads what begins with a dollar, a backtick, a quote or a backslash; false where the character means itself. */
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
  if (char === "'") into.addText(readSingleQuoted(scan), true);
  else readDoubleQuoted(scan, into);
  return true;
}

/** Reads text in which only expansions mean something, like the body of a here-document, to its end. */
export function readExpanded(scan: Scan): readonly Piece[] {
  const into = createPieceList();
  readUntil(scan, into, "", "document");
  return into.pieces;
}

/** Reads arithmetic from behind its `((` to behind its `))`; false, and nothing read, where it is not closed like that. */
export function readArithmetic(scan: Scan, into: PieceList): boolean {
  const start = { at: scan.at, codes: scan.codes.length, fault: scan.findings.fault };
  if (deeper(scan, () => readUntil(scan, into, "))", "double"), true)) {
    if (!isPlainArithmetic(scan.text.slice(start.at, scan.at - 2))) {
      fault(scan, "arithmetic may be taken for commands");
    }
    return true;
  }
  scan.at = start.at;
  scan.codes.length = start.codes;
  if (start.fault === undefined) delete scan.findings.fault;
  return false;
}

/**
 * Bash counts parentheses and quotes to tell arithmetic from commands, and not as a reader of commands would: `a) b;;`,
 * a comment or a here-document inside puts it off.
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
    fault(scan, "nothing follows the last \\");
    into.addText("\\", true);
  } else into.addText(ESCAPABLE[quoting].test(next) ? next : `\\${next}`, true);
  scan.at += 2;
}

function readDoubleQuoted(scan: Scan, into: PieceList): void {
  scan.at += 1;
  into.addText("", true);
  deeper(scan, () => readUntil(scan, into, '"', "double"), true);
}

/** Reads up to behind the ending; false where arithmetic is closed by one parenthesis only. */
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
    // Some shells take such a quote for itself, and some for the beginning of a string.
    if ((char === "'" || char === '"') && quoting === "double" && ending !== '"') {
      fault(scan, "there are quotes inside an expansion inside quotes");
    }
    if (readSpecial(scan, into, quoting)) continue;
    const run = matchAt(PLAIN, scan.text, scan.at) ?? char;
    into.addText(run, quoting !== "none");
    scan.at += run.length;
  }
  if (ending !== "") fault(scan, `a ${ending} is missing`);
  return true;
}

/** How a character changes the number of brackets that are open, where the ending is one of them. */
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

/** The end is the first backtick without a backslash, whatever quotes are between. */
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
  const code = deeper(scan, read, { tokens: [], how: "substitution" as const });
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
    deeper(scan, () => readBraced(scan, into, quoting), undefined);
    return true;
  }
  if (next === "[") {
    scan.at += 2;
    deeper(scan, () => readUntil(scan, createPieceList(), "]", "double"), true);
    into.add({ kind: "number", isQuoted: quoting !== "none" });
    return true;
  }
  if (quoting === "none" && next === "'") {
    into.addText(readAnsiQuoted(scan), true);
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
    // Whether it is a subshell, and whether a third parenthesis makes it arithmetic again, differs with where it stands.
    fault(scan, "a $(( is no arithmetic");
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

/** `${…}`. Ends at the first `}` that is neither quoted nor in an expansion of its own. */
function readBraced(scan: Scan, into: PieceList, quoting: Quoting): void {
  scan.at += 2;
  joinLines(scan);
  if (/[\s|]/.test(scan.text.charAt(scan.at))) {
    // Newer shells run what is inside, and take the value from what it prints.
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
  if (/^:?=$/.test(operator)) rememberValue(scan, name, operand.pieces);
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

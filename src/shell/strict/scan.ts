import { readRedirect } from "./read-redirect.ts";
import { readWord } from "./read-word.ts";
import type { Doubt, Separator, SeparatorToken, Token } from "./token.ts";

const OPERATOR = /[;&|]+>?/y;
const SEPARATORS: ReadonlySet<string> = new Set<Separator>([";", "&", "&&", "||", "|"]);

/**
 * Splits a text into words and operators as both bash and dash do, without comments and the bodies of here-documents.
 * Doubts everything else; `mayExpand` as for `readWord`. Linear in the length of the text.
 */
export function scan(text: string, mayExpand = false): readonly Token[] | Doubt {
  const tokens: Token[] = [];
  let delimiter: string | undefined;
  let at = skipBlanks(text, 0);
  while (at < text.length) {
    const token = readToken(text, at, mayExpand);
    if ("doubt" in token) return token;
    tokens.push(token);
    let end = token.end;
    if (delimiter !== undefined && token.kind === "separator" && token.text === "\n") {
      const start = end;
      end = afterDocument(text, start, delimiter);
      if (end < 0) return { doubt: `the line ${delimiter} that ends a here-document is missing` };
      addBody(tokens, text.slice(start, Math.max(start, end - delimiter.length - 1)));
      delimiter = undefined;
    }
    const next = skipBlanks(text, end);
    if (token.kind === "rewire" && token.delimiter !== undefined) {
      if (delimiter !== undefined) return { doubt: "two here-documents begin in one line" };
      delimiter = token.delimiter;
    }
    // If a line break is quoted, shells differ in where the body begins.
    if (delimiter !== undefined && text.slice(at, next).includes("\n")) {
      return { doubt: "a line continues after the start of a here-document" };
    }
    at = next;
  }
  return delimiter === undefined ? tokens : { doubt: "a here-document has no body" };
}

/** Adds the body of a here-document to the token that begins it. */
function addBody(tokens: Token[], body: string): void {
  const at = tokens.findLastIndex((token) => token.kind === "rewire" && token.delimiter !== undefined);
  const token = tokens[at];
  if (token?.kind === "rewire") tokens[at] = { ...token, body };
}

function readToken(text: string, at: number, mayExpand: boolean): Token | Doubt {
  switch (text.charAt(at)) {
    case "\n":
      return { kind: "separator", text: "\n", end: at + 1 };
    case ";":
    case "&":
    case "|":
      return readSeparator(text, at);
    case "<":
    case ">":
      return readRedirect(text, at, "");
    default:
      return readWordOrNumber(text, at, mayExpand);
  }
}

function readSeparator(text: string, at: number): SeparatorToken | Doubt {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(text)?.[0] ?? "";
  if (!isSeparator(operator)) return { doubt: `${operator} is not a plain separator` };
  return { kind: "separator", text: operator, end: at + operator.length };
}

function isSeparator(text: string): text is Separator {
  return SEPARATORS.has(text);
}

function readWordOrNumber(text: string, at: number, mayExpand: boolean): Token | Doubt {
  const word = readWord(text, at, mayExpand);
  if ("doubt" in word) return word;
  const next = text.charAt(word.end);
  if (next !== "<" && next !== ">") return word;
  // Directly before a redirection, digits are its descriptor and a name in braces is a variable.
  if (word.hasBrace) return { doubt: "braces directly before a redirection" };
  if (!/^\d+$/.test(word.text)) return word;
  const isBare = text.slice(at, word.end) === word.text;
  return isBare
    ? readRedirect(text, word.end, word.text)
    : { doubt: "quoted digits directly before a redirection" };
}

/** Skips blanks, escaped line breaks and a comment. */
function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "#") return endOfLine(text, at);
    if (char === " " || char === "\t") at += 1;
    else if (char === "\\" && text.charAt(at + 1) === "\n") at += 2;
    else break;
  }
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Returns the index after the line that ends the document, or -1. */
function afterDocument(text: string, start: number, delimiter: string): number {
  for (let at = start; at < text.length;) {
    const end = endOfLine(text, at);
    if (end - at === delimiter.length && text.startsWith(delimiter, at)) return end + 1;
    at = end + 1;
  }
  return -1;
}

import { readRedirect } from "./read-redirect.ts";
import { readWord } from "./read-word.ts";
import type { Doubt, Piece, Separator, SeparatorToken, Token } from "./token.ts";

const OPERATOR = /[;&|]+>?/y;
const SEPARATORS: ReadonlySet<string> = new Set<Separator>([";", "&", "&&", "||", "|"]);

/**
 * Splits a text into words and operators the way both bash and dash do, comments and the bodies of here-documents left
 * out. Doubts everything that could mean more. Takes time in proportion to the text.
 */
export function scan(text: string): readonly Token[] | Doubt {
  const tokens: Token[] = [];
  let at = 0;
  let delimiter: string | undefined;
  for (at = afterBlanks(text, at); at < text.length; at = afterBlanks(text, at)) {
    const start = at;
    const step = readStep(text, at);
    if ("doubt" in step) return step;
    const { token } = step.value;
    at = step.end;
    if (token !== undefined) tokens.push(token);
    // A body begins after the line; shells differ in which line break that is when one is quoted.
    if (delimiter !== undefined) {
      if (step.value.delimiter !== undefined) return { doubt: "two here-documents begin in one line" };
      if (text.charAt(start) === "\n") {
        at = afterDocument(text, at, delimiter);
        if (at < 0) return { doubt: `the line ${delimiter} that ends a here-document is missing` };
        delimiter = undefined;
      } else if (text.slice(start, at).includes("\n")) {
        return { doubt: "a line goes on after the beginning of a here-document" };
      }
    }
    delimiter = step.value.delimiter ?? delimiter;
  }
  return delimiter === undefined ? tokens : { doubt: "a here-document has no body" };
}

interface Step {
  /** Left out for what is nothing: a comment, a line that goes on. */
  readonly token?: Token;
  readonly delimiter?: string;
}

function readStep(text: string, at: number): Piece<Step> | Doubt {
  switch (text.charAt(at)) {
    case "\n":
      return { value: { token: { kind: "separator", text: "\n" } }, end: at + 1 };
    case "#":
      return { value: {}, end: endOfLine(text, at) };
    case ";":
    case "&":
    case "|":
      return readSeparator(text, at);
    case "<":
    case ">":
      return readRedirect(text, at, "");
    default:
      return readWordOrNumber(text, at);
  }
}

function readSeparator(text: string, at: number): Piece<Step> | Doubt {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(text)?.[0] ?? "";
  if (!isSeparator(operator)) return { doubt: `${operator} does not mean the same to all shells` };
  return { value: { token: { kind: "separator", text: operator } }, end: at + operator.length };
}

function isSeparator(text: string): text is SeparatorToken["text"] {
  return SEPARATORS.has(text);
}

function readWordOrNumber(text: string, at: number): Piece<Step> | Doubt {
  if (text.startsWith("\\\n", at)) return { value: {}, end: at + 2 };
  const word = readWord(text, at);
  if ("doubt" in word) return word;
  const { value: token, end } = word;
  const next = text.charAt(end);
  if (next !== "<" && next !== ">") return { value: { token }, end };
  // Right before a redirection digits are its number, and a name in braces a variable for it.
  if (token.hasBrace) return { doubt: "braces stand right before a redirection" };
  if (!/^\d+$/.test(token.text)) return { value: { token }, end };
  if (text.slice(at, end) !== token.text) return { doubt: "quoted digits stand right before a redirection" };
  return readRedirect(text, end, token.text);
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Where the text goes on after the line that ends the document; negative where there is none. */
function afterDocument(text: string, start: number, delimiter: string): number {
  for (let at = start; at < text.length;) {
    const end = endOfLine(text, at);
    if (end - at === delimiter.length && text.startsWith(delimiter, at)) return end + 1;
    at = end + 1;
  }
  return -1;
}

import { isBoundary } from "./read-word.ts";
import type { Doubt, Piece, RedirectToken, RewireToken } from "./token.ts";

/** `N>&M`, after its number: both shells take it so only where the second number stands alone. */
const MOVED = />&[12]/y;
const DOCUMENT = /<<[ \t]*(?:'(\w+)'|"(\w+)")/y;

export interface Redirection {
  readonly token: RedirectToken | RewireToken;
  /** The line that ends the here-document, which begins after this line. */
  readonly delimiter?: string;
}

/**
 * Reads `<`, `>`, `>>`, `>&1`, `>&2` or `<<'E'`, with the number that stood right before it, if one did. Doubts every
 * other operator: shells differ in them, or nobody needs them.
 */
export function readRedirect(text: string, at: number, number: string): Piece<Redirection> | Doubt {
  const operator = /[<>&|(]+/y;
  operator.lastIndex = at;
  const found = operator.exec(text)?.[0] ?? "";
  const isInput = found.startsWith("<");
  if (number !== "" && !(isInput ? /^0$/ : /^[12]$/).test(number)) {
    return { doubt: `shells differ in what ${number}${found} means` };
  }
  switch (found) {
    case "<":
    case ">":
    case ">>": {
      const token = { kind: "redirect", access: isInput ? "read" : "write" } as const;
      return { value: { token }, end: at + found.length };
    }
    case ">&":
      return readMoved(text, at);
    case "<<":
      return number === "" ? readDocument(text, at) : { doubt: "a here-document with a number" };
    default:
      return { doubt: `${found} is not a plain redirection` };
  }
}

function readMoved(text: string, at: number): Piece<Redirection> | Doubt {
  MOVED.lastIndex = at;
  if (!MOVED.test(text) || !endsAt(text, MOVED.lastIndex)) return { doubt: ">& is followed by no 1 or 2" };
  return { value: { token: { kind: "rewire", isDocument: false } }, end: MOVED.lastIndex };
}

function readDocument(text: string, at: number): Piece<Redirection> | Doubt {
  DOCUMENT.lastIndex = at;
  const found = DOCUMENT.exec(text);
  const delimiter = found?.[1] ?? found?.[2];
  if (delimiter === undefined) return { doubt: "a here-document without quotes is expanded" };
  if (!endsAt(text, DOCUMENT.lastIndex)) return { doubt: "the end of a here-document is unclear" };
  return { value: { token: { kind: "rewire", isDocument: true }, delimiter }, end: DOCUMENT.lastIndex };
}

function endsAt(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char === "" || (isBoundary(char) && char !== "<" && char !== ">");
}

import { isBoundary } from "./read-word.ts";
import type { Doubt, RedirectToken, RewireToken } from "./token.ts";

const OPERATOR = /[<>&|(]+/y;
/** `N>&M`, after its number; both shells agree only if the second number stands alone. */
const MOVED = />&[12]/y;
const DOCUMENT = /<<[ \t]*(?:'(\w+)'|"(\w+)")/y;

/**
 * Reads `<`, `>`, `>>`, `>&1`, `>&2` or `<<'E'`, with the number directly before it, if any. Doubts every other operator:
 * shells differ, or it is rare.
 */
export function readRedirect(text: string, at: number, number: string): RedirectToken | RewireToken | Doubt {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(text)?.[0] ?? "";
  const isInput = operator.startsWith("<");
  if (number !== "" && !(isInput ? /^0$/ : /^[12]$/).test(number)) {
    return { doubt: `shells differ in what ${number}${operator} means` };
  }
  switch (operator) {
    case "<":
    case ">":
    case ">>":
      return { kind: "redirect", access: isInput ? "read" : "write", end: at + operator.length };
    case ">&":
      return readMoved(text, at);
    case "<<":
      return number === "" ? readDocument(text, at) : { doubt: "a here-document with a number" };
    default:
      return { doubt: `${operator} is not a plain redirection` };
  }
}

function readMoved(text: string, at: number): RewireToken | Doubt {
  MOVED.lastIndex = at;
  if (!MOVED.test(text) || !endsAt(text, MOVED.lastIndex)) return { doubt: ">& is not followed by 1 or 2" };
  return { kind: "rewire", end: MOVED.lastIndex };
}

function readDocument(text: string, at: number): RewireToken | Doubt {
  DOCUMENT.lastIndex = at;
  const documentMatch = DOCUMENT.exec(text);
  const delimiter = documentMatch?.[1] ?? documentMatch?.[2];
  if (delimiter === undefined) return { doubt: "a here-document without quotes is expanded" };
  if (!endsAt(text, DOCUMENT.lastIndex)) return { doubt: "the end of a here-document is unclear" };
  return { kind: "rewire", delimiter, end: DOCUMENT.lastIndex };
}

function endsAt(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char === "" || (isBoundary(char) && char !== "<" && char !== ">");
}

// The codes of characters that the search for secrets tells apart.
export const QUOTE = 34;
export const BACKSLASH = 92;
export const APOSTROPHE = 39;
export const BACKTICK = 96;
export const BRACKET = 93;

export function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

export function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === BACKTICK;
}

export function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

/** What follows makes the value an expression. */
export function isCall(code: number): boolean {
  return code === 40 || code === 91 || code === 123;
}

export function isInName(code: number): boolean {
  const letter = code | 32;
  return (letter > 96 && letter < 123) || isDigit(code) || code === 95 || code === 45 || code === 46;
}

import { BACKSLASH, BACKTICK, BRACKET, isDigit } from "./characters.ts";

/** The last three letters of the names that are looked at, in any case; most names end otherwise. */
const ENDINGS = new Uint8Array(1 << 15);
/** The last two of them. */
const PAIRS = new Uint8Array(1 << 10);
for (const ending of "ord swd pwd ase ort ret ken ial als key jwt ion rer ass uth pin alt _sk dsn kie ies sid ook url eed _pw sig ure lue".split(
  " ",
)) {
  ENDINGS[endingAt(ending, 2)] = 1;
  PAIRS[endingAt(ending, 2) & 1023] = 1;
}
// Quotes, backslashes and brackets after a name.
for (const sign of [BACKTICK, BACKSLASH, BRACKET]) {
  for (let before = sign & 31; before < ENDINGS.length; before += 32) {
    ENDINGS[before] = 1;
    PAIRS[before & 1023] = 1;
  }
}

/** The low five bits of a letter are the same in both cases; those of a digit are those of some letter. */
function endingAt(text: string, at: number): number {
  return (
    ((text.charCodeAt(at - 2) & 31) << 10) |
    ((text.charCodeAt(at - 1) & 31) << 5) |
    (text.charCodeAt(at) & 31)
  );
}

/** Returns whether the name of a secret, perhaps with a number, or something else than a name ends at a place. */
export function mayEnd(text: string, at: number, code: number): boolean {
  if (code > 64)
    return PAIRS[((text.charCodeAt(at - 1) & 31) << 5) | (code & 31)] === 1 && hasSecretEnding(text, at);
  if (!isDigit(code)) return true;
  const before = isDigit(text.charCodeAt(at - 1)) ? at - 2 : at - 1;
  // Times and places, `10:30` and `a.ts 12:3`, are more common than numbered names.
  return text.charCodeAt(before) > 64 && hasSecretEnding(text, before);
}

/** Returns whether a text at a place ends as the name of a secret. */
export function hasSecretEnding(text: string, at: number): boolean {
  return ENDINGS[endingAt(text, at)] === 1;
}

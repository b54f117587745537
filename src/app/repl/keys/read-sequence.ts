import type { Key } from "./key.ts";

const LETTERS: Readonly<Record<string, Key>> = {
  A: { name: "up" },
  B: { name: "down" },
  C: { name: "right" },
  D: { name: "left" },
  F: { name: "end" },
  H: { name: "home" },
  Z: { name: "tab", shift: true },
  M: { name: "enter" },
};
const NUMBERS: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};
const CODES: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
};

/** Not a key: the terminal's report that it supports the kitty protocol. */
export const KITTY: Key = { name: "kitty" };

interface Sequence {
  readonly length: number;
  /** Undefined for reports of the terminal and for unknown keys. */
  readonly key: Key | undefined;
}

/** Reads an escape sequence of xterm, rxvt or the kitty protocol at the start of a text; returns undefined if there is no complete one. */
export function readSequence(text: string): Sequence | undefined {
  // Some terminals send Escape before an arrow for Alt.
  const found = /^(\u{1b}?)\u{1b}(?:O([A-Z])|\[([<-?]?)([\d;:]*)([@-~]))/u.exec(text);
  if (found === null) return undefined;
  const [{ length }, escape, single, mark, parameters = "", last = ""] = found;
  if (mark !== undefined && mark !== "")
    return { length, key: mark === "?" && last === "u" ? KITTY : undefined };
  const key = single === undefined ? keyOf(last, parameters.split(";")) : LETTERS[single];
  return { length, key: key && escape !== "" ? { ...key, alt: true } : key };
}

function keyOf(last: string, [first = "", second = "", third = ""]: readonly string[]): Key | undefined {
  if (last === "u") return modified(named(Number.parseInt(first, 10)), second);
  if (last !== "~") {
    const key = LETTERS[last];
    return key && { ...key, ...modified(key.name, second) };
  }
  // xterm's form for other keys: 27;modifier;code.
  if (first === "27") return modified(named(Number.parseInt(third, 10)), second);
  return modified(NUMBERS[first], second);
}

function named(code: number): string | undefined {
  const known = CODES[code];
  if (known !== undefined || !(code > 32 && code < 0xe000)) return known;
  return String.fromCodePoint(code).toLowerCase();
}

/** The modifiers are a sum of bits plus one. */
function modified(name: string | undefined, parameter: string): Key | undefined {
  if (name === undefined) return undefined;
  const [modifier = "", kind] = parameter.split(":");
  // The release of a key.
  if (kind === "3") return undefined;
  const bits = (Number.parseInt(modifier, 10) || 1) - 1;
  return {
    name,
    ...((bits & 4) !== 0 && { ctrl: true }),
    ...((bits & 2) !== 0 && { alt: true }),
    ...((bits & 1) !== 0 && { shift: true }),
  };
}

import { fault, type Scan } from "./scan.ts";

/** Reads `'…'`, including both quotes. */
export function readSingleQuoted(scan: Scan): string {
  const close = scan.text.indexOf("'", scan.at + 1);
  const end = close < 0 ? scan.text.length : close;
  if (close < 0) fault(scan, "a ' is not closed");
  const text = scan.text.slice(scan.at + 1, end);
  scan.at = end + 1;
  return text;
}

/** Reads `$'…'`, including the dollar and both quotes, and decodes its escapes as bash does. */
export function readAnsiQuoted(scan: Scan): string {
  const start = scan.at + 2;
  let end = start;
  while (end < scan.text.length && scan.text[end] !== "'") end += scan.text[end] === "\\" ? 2 : 1;
  if (end >= scan.text.length) fault(scan, "a $' is not closed");
  scan.at = end + 1;
  return decodeAnsi(scan.text.slice(start, end));
}

const ESCAPE =
  /\\(?:x(?<hex>[0-9a-fA-F]{1,2})|x\{(?<braced>[0-9a-fA-F]+)\}|u(?<short>[0-9a-fA-F]{1,4})|U(?<long>[0-9a-fA-F]{1,8})|(?<octal>[0-7]{1,3})|c(?<control>[\s\S])|(?<letter>[\s\S]))/g;

const LETTERS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

function decodeAnsi(text: string): string {
  const decoded = text.replace(ESCAPE, (whole: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { hex, braced, short, long, octal, control, letter } = groups;
    const digits = hex ?? braced ?? short ?? long;
    if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
    if (octal !== undefined) return characterOf(Number.parseInt(octal, 8) % 256);
    if (control !== undefined) return characterOf(control.charCodeAt(0) % 32);
    return LETTERS[letter ?? ""] ?? whole;
  });
  // Strings of the shell end at a NUL character.
  const zero = decoded.indexOf("\0");
  return zero < 0 ? decoded : decoded.slice(0, zero);
}

function characterOf(code: number): string {
  return code > 0x10_ff_ff ? "\ufffd" : String.fromCodePoint(code);
}

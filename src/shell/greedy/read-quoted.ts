import { decodeEscapes } from "../syntax/escapes.ts";
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
  // Strings of the shell end at a NUL character.
  const [decoded = ""] = decodeEscapes(scan.text.slice(start, end)).split("\0", 1);
  return decoded;
}

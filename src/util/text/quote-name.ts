import { visibleJson } from "./visible.ts";

/** A name that could pass for several lines, for a quoted name or for a shorter one, or that a request cannot contain. */
const AMBIGUOUS = /^["\s]|\s$|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Returns a file name or path on one line: as it is, or as a JSON string if it contains control characters, or begins with a quote or a
 * blank, or ends with a blank.
 */
export function quoteName(name: string): string {
  return AMBIGUOUS.test(name) ? visibleJson(JSON.stringify(name)) : name;
}

/** Returns the name that `quoteName` was given; any other text is a name itself. */
export function unquoteName(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === "string" && AMBIGUOUS.test(name) ? name : text;
  } catch {
    return text;
  }
}

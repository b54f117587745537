import { visibleJson } from "./visible.ts";

/** A name that could pass for several lines, for a quoted name or for a shorter one, or that a request cannot contain. */
const AMBIGUOUS = /^["\s]|\s$|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Bytes that are not UTF-8, as `fromFileName` returns them, in JSON text and as they are shown. */
const BYTE = /\\(?:\\|udc([89a-f][\da-f]))/g;
const SHOWN_BYTE = /\\(?:\\|x([89a-f][\da-f]))/gi;

/**
 * Returns a file name or path on one line: as it is, or as a JSON string if it contains control characters, or begins with a quote or a
 * blank, or ends with a blank. Bytes that are not UTF-8 are shown as `\xff`, which JSON does not have.
 */
export function quoteName(name: string): string {
  if (!AMBIGUOUS.test(name)) return name;
  const json = JSON.stringify(name);
  return visibleJson(
    json.replaceAll(BYTE, (escape, hex?: string) => (hex === undefined ? escape : `\\x${hex}`)),
  );
}

/** Returns the name that `quoteName` was given; any other text is a name itself. */
export function unquoteName(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    const json = text.replaceAll(SHOWN_BYTE, (escape, hex?: string) =>
      hex === undefined ? escape : `\\udc${hex}`,
    );
    const name: unknown = JSON.parse(json);
    return typeof name === "string" && AMBIGUOUS.test(name) ? name : text;
  } catch {
    return text;
  }
}

/** Returns a name for programs: as it is, or as `quoteName` shows it if it is not UTF-8. */
export function nameAsData(name: string): string {
  return name.isWellFormed() ? name : quoteName(name);
}

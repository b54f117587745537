import { sanitize } from "../../../util/text/sanitize.ts";

/** Returns a text without control characters and tabs, with line feeds only. */
export function plain(text: string): string {
  return sanitize(text).replaceAll("\r\n", "\n").replaceAll("\t", "    ");
}

/** Returns such a text on one line. */
export function plainLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, " ").trim();
}

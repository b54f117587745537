import { sanitize } from "../../../util/text/sanitize.ts";

/** A text as it may be shown: nothing in it moves the cursor, and every line ends with a bare line feed. */
export function plain(text: string): string {
  return sanitize(text).replaceAll("\r\n", "\n").replaceAll("\t", "    ");
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, " ").trim();
}

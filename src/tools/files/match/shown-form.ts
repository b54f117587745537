import { fromSendable } from "../../../util/text/sendable.ts";

/** NUL as every tool shows it. */
const SHOWN_NUL = "\\u{0}";

/**
 * Returns the function that converts text of the model to text of the file, the same for all tools: in a file with NUL, `\u{0}` stands for
 * NUL. If the file contains this escape too, it stands for itself in a call whose old text occurs literally.
 */
export function shownForm(fileText: string, old: string): (text: string) => string {
  const isLiteral = !fileText.includes("\0") || (fileText.includes(SHOWN_NUL) && fileText.includes(old));
  return isLiteral ? (text) => text : fromSendable;
}

/** Returns true for a text in which `shownForm` may convert something. */
export function hasShownNul(text: string): boolean {
  return text.includes(SHOWN_NUL);
}

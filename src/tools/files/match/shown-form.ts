import { fromSendable } from "../../../util/text/sendable.ts";

/**
 * Returns the function that converts text of the model to text of the file: the escapes of characters that were shown escaped stand for
 * these characters, unless the file contains the escapes themselves.
 */
export function shownForm(fileText: string, given: string): (text: string) => string {
  return fileText.includes("\0") && !fileText.includes(given) ? fromSendable : (text) => text;
}

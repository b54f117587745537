/** NUL and single surrogates. */
const REFUSED = /[\0\p{Cs}]/gu;
const SHOWN = /\\u\{(0|d[89a-f][\da-f]{2})\}/g;

/** Says how characters that cannot be sent are shown. */
export const SENDABLE_NOTE =
  "[NUL and single surrogates cannot be sent and are shown as \\u{0}, \\u{d800} …; edits accept this form]";

/** Escapes the characters for which providers refuse a request; every other character stays as it is. */
export function sendable(text: string): string {
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.replaceAll(REFUSED, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** Returns the text that `sendable` has escaped. */
export function fromSendable(text: string): string {
  return text.replaceAll(SHOWN, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

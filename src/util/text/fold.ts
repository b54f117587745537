const HAS_NO_UPPER = /^[\u0000-\u0040\u005b-\u007f]*$/;
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** Folds case and Unicode form: names that may be the same file on some file system fold to the same text. */
export function fold(text: string): string {
  if (HAS_NO_UPPER.test(text)) return text;
  if (IS_ASCII.test(text)) return text.toLowerCase();
  // Upper case first: letters that only share their capital are the same letter to such a file system.
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

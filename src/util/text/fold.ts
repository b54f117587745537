const HAS_NO_UPPER = /^[\u0000-\u0040\u005b-\u007f]*$/;
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** A text as a disk that minds neither case nor Unicode form would see it: names that may be one file fold to one text. */
export function fold(text: string): string {
  if (HAS_NO_UPPER.test(text)) return text;
  if (IS_ASCII.test(text)) return text.toLowerCase();
  // Through upper case first: letters that share only their capital are the same letter to such a disk.
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

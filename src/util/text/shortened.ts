/** Returns a text of at most `maxCharacters`: a longer one ends in `…`, never within a character. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text
    .slice(0, Math.max(0, maxCharacters - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

/** Returns the first sentence of a text, on one line. */
export function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  const end = flat.search(/[.!?](?: |$)/);
  return end < 0 ? flat : flat.slice(0, end + 1);
}

const MAX_OPENING = 200;

/** Returns the first sentence of a text, up to the first line break and 200 characters. */
export function openingOf(text: string): string {
  return shortened(text.split(/(?<=\.)\s|\n/, 1)[0] ?? "", MAX_OPENING);
}

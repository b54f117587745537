/** Returns a text of at most `maxCharacters`: a longer one ends in `…`, never within a character. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text
    .slice(0, Math.max(0, maxCharacters - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

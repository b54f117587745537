/** A text of at most so many characters: where it is longer its end is cut, never in the middle of one, and that is shown. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text
    .slice(0, Math.max(0, maxCharacters - 1))
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

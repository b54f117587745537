/** Returns the words of a text without case and punctuation; the text itself if it has none. */
export function plainWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(" ") ?? text.trim();
}

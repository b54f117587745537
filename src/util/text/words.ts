/** Returns the words of a text without case and punctuation; the text itself if it has none. */
export function plainWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(" ") ?? text.trim();
}

/** Returns a number with its noun, which is in the singular for one. */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === "1" ? one : many}`;
}

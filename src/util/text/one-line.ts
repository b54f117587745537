/** Returns the first sentence of a text, on one line. */
export function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  const end = flat.search(/[.!?](?: |$)/);
  return end < 0 ? flat : flat.slice(0, end + 1);
}

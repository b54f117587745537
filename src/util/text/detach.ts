/**
 * Copies a text into memory of its own. A slice keeps the whole string it was cut from alive, so a few kilobytes
 * stored from each chunk of a long output would keep all chunks in memory.
 */
export function detach(text: string): string {
  // Concatenation makes a rope, and slicing a rope writes out a new string.
  return `${text} `.slice(0, -1);
}

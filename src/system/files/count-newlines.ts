/** Strings of this size are cheap to create. */
const PART_BYTES = 64 * 1024;

/**
 * Returns the number of line feeds. Searches a Latin-1 string, which is the fastest way: a loop over the bytes takes twice
 * as long, and many times that before it is optimized.
 */
export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let from = 0; from < bytes.length; from += PART_BYTES) {
    const text = bytes.toString("latin1", from, from + PART_BYTES);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  }
  return count;
}

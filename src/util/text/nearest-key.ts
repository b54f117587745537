/** The known key that was probably meant: one that differs in a letter or two. */
export function nearestKey(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().slice(0, 40);
  const near = known
    .map((key) => ({ key, distance: distanceOf(wanted, key.toLowerCase()) }))
    .filter(({ key, distance }) => distance <= Math.max(1, Math.floor(key.length / 3)));
  return near.sort((one, other) => one.distance - other.distance)[0]?.key;
}

/** How many letters must be added, taken away or replaced. */
function distanceOf(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    last = next;
  }
  return last[other.length] ?? 0;
}

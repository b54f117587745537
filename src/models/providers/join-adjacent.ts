/** Returns the items with neighbours joined wherever `join` returns a joined item. */
export function joinAdjacent<T>(items: readonly T[], join: (last: T, next: T) => T | undefined): T[] {
  const result: T[] = [];
  for (const item of items) {
    const last = result.at(-1);
    const joined = last === undefined ? undefined : join(last, item);
    if (joined === undefined) result.push(item);
    else result.splice(-1, 1, joined);
  }
  return result;
}

/** Returns the only name that differs from what was written in case, white space, `_` and `-` alone; undefined if there is none or more than one. */
export function matchKey(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  const plain = plainName(written);
  const matches = names.filter((name) => plainName(name) === plain);
  return matches.length === 1 ? matches[0] : undefined;
}

/** Returns a name without what may differ: in lower case, without white space, `_` and `-`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, "");
}

/** Returns whether a text has one of these names in it, as one word or as several. */
export function containsName(text: string, names: readonly string[]): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const plainNames = new Set(names.map(plainName));
  return words.some((_, from) =>
    [1, 2, 3, 4].some((count) => plainNames.has(words.slice(from, from + count).join(""))),
  );
}

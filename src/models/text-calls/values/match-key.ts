/** Returns the only name that differs from what was written in case, `_` and `-` alone; undefined if there is none or more than one. */
export function matchKey(written: string, names: readonly string[]): string | undefined {
  if (names.includes(written)) return written;
  const plain = plainName(written);
  const matches = names.filter((name) => plainName(name) === plain);
  return matches.length === 1 ? matches[0] : undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, "");
}

/** Variables that every child process may have; a trailing star stands for any ending. */
const ALWAYS = ["PATH", "HOME", "LANG", "LC_*", "TMPDIR", "TERM", "USER", "SHELL"];

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child process: a few harmless variables, and of the rest only those whose names are allowed
 * (`NAME`, or `PREFIX_*`). A secret never passes unless it is named.
 */
export function childEnvironment(
  environment: Environment,
  allowed: readonly string[] = [],
): Readonly<Record<string, string>> {
  const patterns = [...ALWAYS, ...allowed];
  const passes = (name: string): boolean => patterns.some((pattern) => covers(pattern, name));
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
  );
  return Object.fromEntries(entries);
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

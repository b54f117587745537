import { isSecretName } from "../../secrets/find/names.ts";

/** Variables that every child process gets; a trailing * matches any ending. */
const ALWAYS = ["PATH", "HOME", "LANG", "LC_*", "TMPDIR", "TERM", "USER", "SHELL"];

/** Variables that change what a shell runs or finds, so that what was judged would not be what runs. */
const CHANGES_SHELLS =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|CDPATH|GLOBIGNORE|IFS|PROMPT_COMMAND|PS4)$/;

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a child process: a few harmless variables and those allowed by name (`NAME` or `PREFIX_*`). A
 * secret is passed only if it is named in full, and a variable that changes how a shell works never is.
 */
export function childEnvironment(
  environment: Environment,
  allowed: readonly string[] = [],
): Readonly<Record<string, string>> {
  const patterns = [...ALWAYS, ...allowed];
  const passes = (name: string): boolean =>
    !CHANGES_SHELLS.test(name) && patterns.some((pattern) => covers(pattern, name));
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
  );
  return Object.fromEntries(entries);
}

function covers(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return name === pattern;
  return name.startsWith(pattern.slice(0, -1)) && !isSecretName(name);
}

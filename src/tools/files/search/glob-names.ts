import { expandBraces } from "../../../util/text/expand-braces.ts";

/** Names that every dialect of globs reads alike. */
const CERTAIN = /^(?!\*$)[\w.*-]+$/;
const MAX_NAMES = 50;

/**
 * Globs that the last name of every path meant by a pattern fits, so that ripgrep can leave out the others before they
 * cost us anything; undefined where that is not certain, or would leave out nothing.
 */
export function lastNamesOf(pattern: string): readonly string[] | undefined {
  const names = new Set(expandBraces(pattern).map((one) => one.slice(one.lastIndexOf("/") + 1)));
  if (names.size > MAX_NAMES) return undefined;
  const isCertain = [...names].every((name) => CERTAIN.test(name) && !name.includes("**"));
  return isCertain ? [...names] : undefined;
}

/** True for a pattern that says nothing of folders: whatever its last names fit is meant. */
export function isNameAlone(pattern: string): boolean {
  return expandBraces(pattern).every((one) => !one.replace(/^(?:\*\*\/)+/, "").includes("/"));
}

/** The flags that make ripgrep look at files of such names only; unlike a glob, they take back nothing that is ignored. */
export function nameFlags(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=meant:${name}`), "--type=meant"];
}

/** A type takes back that hidden files are left out. */
export function isHidden(path: string): boolean {
  return path.startsWith(".", path.lastIndexOf("/") + 1);
}

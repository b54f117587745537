import { expandBraces } from "../../../util/text/expand-braces.ts";

/** Names that every dialect of globs reads in the same way. */
const CERTAIN = /^(?!\*$)[\w.*-]+$/;
const MAX_NAMES = 50;

/**
 * Returns globs that the last name of every matching path has, so that ripgrep can skip other files; undefined if that is uncertain or
 * would skip nothing.
 */
export function lastNamesOf(pattern: string): readonly string[] | undefined {
  const names = new Set(expandBraces(pattern).map((one) => one.slice(one.lastIndexOf("/") + 1)));
  if (names.size > MAX_NAMES) return undefined;
  const isCertain = [...names].every((name) => CERTAIN.test(name) && !name.includes("**"));
  return isCertain ? [...names] : undefined;
}

/** True for a pattern without folders: every file with a matching name matches. */
export function isNameAlone(pattern: string): boolean {
  return expandBraces(pattern).every((one) => !one.replace(/^(?:\*\*\/)+/, "").includes("/"));
}

/** Returns the ripgrep flags for files with such names; unlike a glob they do not re-include ignored files. */
export function nameFlags(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=meant:${name}`), "--type=meant"];
}

/** A file type also matches hidden files. */
export function isHidden(path: string): boolean {
  return path.startsWith(".", path.lastIndexOf("/") + 1);
}

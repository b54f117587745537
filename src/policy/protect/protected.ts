import { expandBraces } from "../../util/text/expand-braces.ts";
import { isWithin } from "../../util/text/is-within.ts";
import { compileName, type NamePattern } from "../../util/text/name-pattern.ts";

/** Files that run code or change permissions: writing them needs approval in every mode. */
const PROTECTED: readonly RegExp[] = [
  /\/\.toolwright(?:\/|$)/,
  /\/\.git\/(?:.*\/)?(?:hooks(?:\/|$)|config(?:\.worktree)?$|commondir$)/,
  // A replaced folder brings its own hooks.
  /\/\.git$/,
  /\/\.gitconfig$/,
  /\/\.config\/git(?:\/|$)/,
  /\/\.ssh(?:\/|$)/,
  /\/\.mcp\.json$/,
  /\/\.envrc$/,
  /\/\.(?:bash_profile|bash_login|bash_logout|bashrc|profile|zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|kshrc|inputrc)$/,
  /\/\.config\/fish(?:\/|$)/,
];

/**
 * Returns true for a protected canonical path, whether or not it exists: a protected file, a path in one of the folders,
 * or a parent of one. The path is folded, because some file systems ignore case and Unicode form.
 */
export function isProtected(folded: string, folders: readonly string[]): boolean {
  if (folded.includes("/.") && PROTECTED.some((pattern) => pattern.test(folded))) return true;
  return folders.some((folder) => isWithin(folded, folder) || isWithin(folder, folded));
}

const MAX_ALTERNATIVES = 256;
const MAGIC = /[*?[{]/;

/** The same files and folders as lists of names, for patterns. */
const FILES: readonly (readonly string[])[] = (
  ".git .git/config .git/commondir .gitconfig .mcp.json .envrc .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv " +
  ".zprofile .zlogin .zlogout .cshrc .tcshrc .kshrc .inputrc"
)
  .split(" ")
  .map((path) => path.split("/"));
const FOLDERS: readonly (readonly string[])[] = ".toolwright .git/hooks .ssh .config/git .config/fish"
  .split(" ")
  .map((path) => path.split("/"));

/**
 * Returns true for a path with a shell pattern that may expand to a protected path: `.g*t/config`, `{.git/hooks,x}/a`.
 * As in a shell, a pattern matches a hidden name only if it begins with a dot.
 */
export function mayBecomeProtected(folded: string): boolean {
  if (!MAGIC.test(folded)) return false;
  try {
    return expandBraces(folded, MAX_ALTERNATIVES).some(mayMatch);
  } catch {
    // A shell takes an invalid pattern literally, and the caller has checked the literal path.
    return false;
  }
}

function mayMatch(path: string): boolean {
  if (isProtected(path, [])) return true;
  const names = path.split("/").map((name) => ({ name, pattern: compileName(name) }));
  return names.some((_, start) => {
    const rest = names.slice(start);
    const fits = (wanted: readonly string[]): boolean =>
      rest.length >= wanted.length && wanted.every((name, index) => fitsName(rest[index], name));
    return FOLDERS.some(fits) || FILES.some((wanted) => wanted.length === rest.length && fits(wanted));
  });
}

function fitsName(
  given: { readonly name: string; readonly pattern: NamePattern } | undefined,
  wanted: string,
): boolean {
  if (given === undefined || (wanted.startsWith(".") && !given.name.startsWith("."))) return false;
  return given.pattern.matches(wanted);
}

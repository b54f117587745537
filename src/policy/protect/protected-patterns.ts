import { expandBraces } from "../../util/text/expand-braces.ts";
import type { NamePattern } from "../../util/text/name-pattern.ts";
import { compileName } from "../../util/text/name-pattern.ts";
import { isProtected } from "./protected.ts";

const MAX_ALTERNATIVES = 256;
const MAGIC = /[*?[{]/;

/** Protected files and folders, by the names that lead to them. */
const FILES: readonly (readonly string[])[] = (
  ".git .git/config .gitconfig .mcp.json .envrc .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv " +
  ".zprofile .zlogin .zlogout .cshrc .tcshrc .kshrc .inputrc"
)
  .split(" ")
  .map((path) => path.split("/"));
const FOLDERS: readonly (readonly string[])[] = ".toolwright .git/hooks .ssh .config/git .config/fish"
  .split(" ")
  .map((path) => path.split("/"));

/**
 * True for a path with a pattern of the shell in it that may stand for a protected one: `.g*t/config`, `{.git/hooks,x}/a`.
 * As in a shell, a pattern stands for a hidden name only where it begins with its dot.
 */
export function mayBecomeProtected(folded: string): boolean {
  if (!MAGIC.test(folded)) return false;
  try {
    return expandBraces(folded, MAX_ALTERNATIVES).some(mayMatch);
  } catch {
    // A shell takes what is no pattern as it is written, and that was looked at already.
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

import { tryExpandBraces } from "../../util/text/expand-braces.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import type { NamePattern } from "../../util/text/name-pattern.ts";
import { patternOf, toPlainPattern } from "./shell-pattern.ts";

/** Files that run code or change permissions: writing them needs approval in every mode. A replaced `.git` brings its own hooks. */
const FILES: readonly string[] = (
  ".git .git/config .git/config.worktree .git/commondir .gitconfig .mcp.json .envrc .bashrc .bash_profile .bash_login .bash_logout " +
  ".profile .zshrc .zshenv .zprofile .zlogin .zlogout .cshrc .tcshrc .kshrc .inputrc"
).split(" ");
/** Folders in which every file is protected. */
const FOLDERS: readonly string[] =
  ".toolwright .cache/toolwright .git/hooks .ssh .config/git .config/fish".split(" ");

const PROTECTED = new RegExp(`/(?:(?:${anyOf(FOLDERS)})(?:/|$)|(?:${anyOf(FILES)})$)`);

/** Folders in `.git`, such as those of submodules, have the same files. */
function anyOf(paths: readonly string[]): string {
  return paths.map((path) => path.replaceAll(".", "\\.").replace("git/", "git/(?:.*/)?")).join("|");
}

/**
 * Returns true for a protected canonical path, whether or not it exists: a protected file, a path in one of the folders,
 * or a parent of one. The path is folded, because some file systems ignore case and Unicode form.
 */
export function isProtected(folded: string, folders: readonly string[]): boolean {
  if (folded.includes("/.") && PROTECTED.test(folded)) return true;
  return folders.some((folder) => isWithin(folded, folder) || isWithin(folder, folded));
}

/** Settings that run code or change permissions, the kernel's files and devices. `/dev/null` and the like store nothing, and `/dev/shm` is for files. */
const OF_SYSTEM = new RegExp(
  String.raw`^/(?:etc|boot|proc|sys|(?:usr/|var/)?lib/systemd|var/spool/cron|dev(?!/(?:null|zero|full|random|urandom|tty|stdout|stderr|shm/.*|pts/.*|(?:tcp|udp)/.*)$))(?:/|$)` +
    String.raw`|/(?:\.config/(?:systemd|autostart)|library/launchagents)(?:/|$)`,
);

/** Returns true for a folded path of the operating system, which is protected unless it is in the workspace; of a shell pattern, for one that may expand to it. */
export function isSystemTarget(folded: string, isPattern: boolean): boolean {
  return OF_SYSTEM.test(folded) || (isPattern && /^\/[^/]*[*?[{]/.test(folded));
}

const MAX_ALTERNATIVES = 256;
const MAGIC = /[*?[{(]/;

const FILE_NAMES = FILES.map((path) => path.split("/"));
const FOLDER_NAMES = FOLDERS.map((path) => path.split("/"));

/**
 * Returns true for a path with a shell pattern that may expand to a protected path: `.g*t/config`, `{.git/hooks,x}/a`.
 * As in a shell, a pattern matches a hidden name only if it begins with a dot.
 */
export function mayBecomeProtected(folded: string): boolean {
  return mayExpandTo(folded, mayMatch);
}

/** Returns true if the condition holds for what a shell pattern may expand to by its braces, or if that is too much to try. */
export function mayExpandTo(written: string, condition: (path: string) => boolean): boolean {
  if (!MAGIC.test(written)) return false;
  const pattern = toPlainPattern(written);
  const expanded = tryExpandBraces(pattern, MAX_ALTERNATIVES);
  if (expanded === "too many") return true;
  // A shell takes unmatched braces literally.
  const paths = expanded === "unmatched" ? [pattern.replaceAll(/[{}]/g, String.raw`\$&`)] : expanded;
  return paths.some(condition);
}

function mayMatch(path: string): boolean {
  if (isProtected(path, [])) return true;
  const names = path.split("/").map((name) => ({ name, pattern: patternOf(name) }));
  return names.some((_, start) => {
    const rest = names.slice(start);
    const fits = (wanted: readonly string[]): boolean =>
      wanted.every((name, index) => fitsName(rest[index], name));
    return (
      FOLDER_NAMES.some(fits) || FILE_NAMES.some((wanted) => wanted.length === rest.length && fits(wanted))
    );
  });
}

function fitsName(
  given: { readonly name: string; readonly pattern: NamePattern } | undefined,
  wanted: string,
): boolean {
  if (given === undefined || (wanted.startsWith(".") && !given.name.startsWith("."))) return false;
  return given.pattern.matches(wanted);
}

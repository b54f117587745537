import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { SimpleCommand } from "../../core/command.ts";
import { PLAIN_OPTIONS } from "./folder-programs.ts";

/**
 * Returns true if a git command may open files that git has not stored and that its arguments do not name: folders outside the index are
 * compared or searched, or another program is started. False only for a known subcommand without options that do so.
 */
export function opensUntracked({ words, assignments, cwds }: SimpleCommand): boolean {
  if (assignments.length > 0 || words.some(({ literal }) => !literal)) return true;
  const [, ...args] = words.map(({ text }) => text);
  let at = 0;
  let folders = cwds;
  while (args[at]?.startsWith("-") === true) {
    const option = args[at] ?? "";
    if (option !== "-C" && !PLAIN_OPTIONS.has(option)) return true;
    if (option === "-C") folders = folders.map((folder) => resolve(folder, args[at + 1] ?? ""));
    at += option === "-C" ? 2 : 1;
  }
  const [subcommand, ...rest] = args.slice(at);
  if (subcommand === undefined) return false;
  if (!SHOW_STORED.has(subcommand)) return true;
  if (subcommand === "grep") return rest.some(widensSearch);
  if (subcommand === "diff") return rest.some(isNoIndex) || namesTwoPaths(rest, folders);
  return false;
}

/** Returns true if two arguments are paths: outside a repository, git compares them as `diff -r` does. */
function namesTwoPaths(args: readonly string[], folders: readonly string[]): boolean {
  const paths = args.filter(
    (word) =>
      !word.startsWith("-") &&
      (word.startsWith("~") || folders.some((folder) => existsSync(resolve(folder, word)))),
  );
  return paths.length > 1;
}

/** Subcommands that open files of the index and those that their arguments name. An alias cannot have their names. */
const SHOW_STORED: ReadonlySet<string> = new Set(
  "blame branch describe diff diff-files diff-index diff-tree grep log ls-files ls-tree rev-list rev-parse show status".split(
    " ",
  ),
);

/** Returns true for an option of `git grep` that searches more than the index, or starts a program with what it finds. */
function widensSearch(word: string): boolean {
  const [option = ""] = word.split("=");
  const isLong = ["--untracked", "--open-files-in-pager"].some(
    (name) => option.length > 2 && name.startsWith(option),
  );
  return isLong || isNoIndex(word) || /^-[A-Za-z]*O/.test(word);
}

/** Also true for each abbreviation. */
function isNoIndex(word: string): boolean {
  return word.length > "--no-".length && "--no-index".startsWith(word);
}

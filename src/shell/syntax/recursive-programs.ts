import type { Word } from "../../core/command.ts";

/** Programs that descend into folders: always, or if an argument matches. */
const RECURSIVE: ReadonlyMap<string, RegExp> = new Map([
  ...["rg", "ag", "ack", "fd", "fdfind", "tar", "bsdtar", "zip", "7z", "rsync", "mv"].map(
    (name) => [name, /^/] as const,
  ),
  ...["grep", "egrep", "fgrep", "zgrep", "ugrep"].map(
    (name) => [name, /^(?:-[^-]*[rRd]|--(?:r|dir|dereference-r))/] as const,
  ),
  ...["cp", "scp", "rm"].map((name) => [name, /^(?:-[^-]*[rRa]|--(?:r|arch))/] as const),
  // Reads untracked files; secrets are usually not committed.
  ["git", /^--(?:no-in|untr)[a-z]*$/],
  ["find", /^-(?:delete|exec|ok|fls|fprint)/],
  ...["chmod", "chown", "chgrp"].map((name) => [name, /^(?:-[^-]*R|--r)/] as const),
]);

/** Programs that compare files of the same name if their operands are folders. */
const COMPARES: ReadonlySet<string> = new Set(
  "diff gdiff sdiff colordiff icdiff wdiff dwdiff difft".split(" "),
);

/** Recursive programs that follow links in folders: always, or if an argument matches. */
const FOLLOWS_LINKS: ReadonlyMap<string, RegExp> = new Map([
  ...["zip", "7z", "scp", ...COMPARES].map((name) => [name, /^/] as const),
  ...["grep", "egrep", "fgrep", "zgrep", "ugrep"].map((name) => [name, /^(?:-[^-]*R|--de)/] as const),
  ...["rg", "ag", "ack", "fd", "fdfind"].map((name) => [name, /^(?:-[^-]*[Lf]|--follow)/] as const),
  ...["tar", "bsdtar"].map((name) => [name, /^(?:-?[A-Za-z]*h|--de)/] as const),
  ["rsync", /^(?:-[^-]*[Lk]|--copy-)/],
  ["cp", /^(?:-[^-]*L|--de)/],
]);

/** An option with which `git add` takes ignored files too. */
const ADDS_IGNORED = /^(?:--f[a-z]*|-[A-Za-z]*f[A-Za-z]*)$/;
/** An option with which `git stash` moves files that are not in the index. */
const STASHES_ALL = /^(?:--inc|--al|-[A-Za-z]*[ua])/;

/** An option with which `git clean` removes files. */
const REMOVES = /^(?:--f|-[A-Za-z]*f)/;

/** Returns true if the program reads, moves or removes the contents of folders. */
export function descends(program: string, words: readonly Word[]): boolean {
  const sign = RECURSIVE.get(program);
  if (program === "git" && words.some(({ text }) => text === "add" || text === "stage"))
    return words.some(({ text }) => ADDS_IGNORED.test(text));
  if (program === "git" && words.some(({ text }) => text === "stash"))
    return words.some(({ text }) => STASHES_ALL.test(text));
  if (program === "git" && words.some(({ text }) => text === "clean"))
    return words.some(({ text }) => REMOVES.test(text));
  return sign !== undefined && (sign.test("") || words.some(({ text }) => sign.test(text)));
}

/** Returns true for a program that reads the folders that it names: their entries, or everything below them. */
export function comparesFolders(program: string): boolean {
  return COMPARES.has(program);
}

/** Returns true if the program follows the links that it finds in folders. */
export function followsLinks(program: string, words: readonly Word[]): boolean {
  const sign = FOLLOWS_LINKS.get(program);
  return sign !== undefined && (sign.test("") || words.some(({ text }) => sign.test(text)));
}

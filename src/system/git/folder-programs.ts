import { basename } from "node:path";
import type { SimpleCommand, Word } from "../../core/command.ts";
import { enterFolder } from "./enter-folder.ts";
import { findNamedPrograms } from "./named-programs.ts";

/** Returns true if one of the commands starts git. */
export function startsGit(commands: readonly SimpleCommand[]): boolean {
  return commands.some(isGit);
}

/**
 * Returns what would make git start programs that are named by the files of a folder: the part of a config, or why it is not
 * known. Returns undefined if nothing does.
 */
export async function findFolderPrograms(commands: readonly SimpleCommand[]): Promise<string | undefined> {
  for (const command of commands.filter(isGit)) {
    if (command.cwds.length === 0) return "the config of an unknown folder";
    for (const cwd of command.cwds) {
      const folder = folderOf(command, cwd);
      const programSource =
        folder === undefined ? "the config of another repository" : await findNamedPrograms(folder);
      if (programSource !== undefined) return programSource;
    }
  }
  return undefined;
}

/** Options before the subcommand that have no value and choose no repository. */
export const PLAIN_OPTIONS: ReadonlySet<string> = new Set(
  "-p -P --paginate --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --help --version".split(
    " ",
  ),
);

/**
 * Returns the folder in which git looks for a repository; undefined if its arguments may name one. Options behind the
 * subcommand have other meanings: `git diff -C`.
 */
export function folderOf({ words, assignments }: SimpleCommand, cwd: string): string | undefined {
  if (assignments.length > 0) return undefined;
  let folder = enterFolder(cwd, ".");
  for (let index = 1; index < words.length; index += 1) {
    const { text, literal } = words[index] ?? UNKNOWN;
    if (!literal) return undefined;
    if (!text.startsWith("-")) break;
    if (PLAIN_OPTIONS.has(text)) continue;
    if (text !== "-C" && text !== "-c") return undefined;
    index += 1;
    const value = words[index] ?? UNKNOWN;
    if (!value.literal) return undefined;
    if (text === "-C") folder = enterFolder(folder, value.text);
  }
  return folder;
}

const UNKNOWN: Word = { text: "", literal: false };

function isGit({ words }: SimpleCommand): boolean {
  return basename(words[0]?.text ?? "") === "git";
}

import { basename, resolve } from "node:path";
import type { SimpleCommand } from "../../core/command.ts";
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
      const found =
        folder === undefined ? "the config of another repository" : await findNamedPrograms(folder);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Returns the folder in which git looks for a repository; undefined if its arguments name one. */
function folderOf({ words, assignments }: SimpleCommand, cwd: string): string | undefined {
  let folder = cwd;
  for (const [index, { text, literal }] of words.entries()) {
    if (/^--(?:git-dir|work-tree|exec-path|config-env)/.test(text)) return undefined;
    if (text !== "-C") continue;
    const next = words[index + 1];
    if (!literal || next?.literal !== true) return undefined;
    folder = resolve(folder, next.text);
  }
  return assignments.length === 0 ? folder : undefined;
}

function isGit({ words }: SimpleCommand): boolean {
  return basename(words[0]?.text ?? "") === "git";
}

import { stat } from "node:fs/promises";
import type { SimpleCommand } from "../../core/command.ts";
import { createProtectedReads } from "../../policy/protect/protected-reads.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";
import { WITHOUT_PROTECTED } from "../../tools/running/find-hidden.ts";
import { fold } from "../../util/text/fold.ts";

/** A walk that takes longer counts as one that finds something. */
const MAX_WALK_MS = 5000;

/**
 * Returns true if a command that searches folders may find a protected file: without a sandbox in which such files are absent, it would print them. Never
 * rejects.
 */
export async function findsProtected(commands: readonly SimpleCommand[], userHome: string): Promise<boolean> {
  const { isProtected } = createProtectedReads(userHome, []);
  const folders = new Set(commands.filter(searchesFolders).flatMap(({ cwds }) => cwds));
  const until = AbortSignal.timeout(MAX_WALK_MS);
  for (const folder of folders) {
    let isFound = false;
    try {
      // What does not exist has no files: no part of a command that only reads creates it.
      if (await isMissing(folder)) continue;
      await runRipgrep({
        args: ["--files", "--hidden", "--no-ignore", "--null", ...WITHOUT_PROTECTED],
        cwd: folder,
        separator: "\0",
        signal: until,
        onLine(file) {
          isFound ||= isProtected(fold(`${folder}/${file}`));
          return !isFound;
        },
      });
    } catch {
      return true;
    }
    if (isFound) return true;
  }
  return false;
}

async function isMissing(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => false,
    (error: unknown) => systemCode(error) === "ENOENT",
  );
}

function searchesFolders({ words }: SimpleCommand): boolean {
  const [program, ...rest] = words.map(({ text }) => text);
  if (program === "rg") return !rest.includes("--files");
  return (
    program === "grep" &&
    rest.some((word) => /^-(?:[A-Za-z]*[rR]|-(?:dereference-)?recursive|-directories)/.test(word))
  );
}

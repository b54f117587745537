import { basename } from "node:path";
import type { PathWord, SimpleCommand } from "../../core/command.ts";
import { createProtectedReads } from "../../policy/protect/protected-reads.ts";
import { changedFiles } from "../../system/git/changed-files.ts";
import { folderOf } from "../../system/git/folder-programs.ts";
import { fold } from "../../util/text/fold.ts";

/**
 * Returns the protected files whose uncommitted content git commands may print, as paths that the commands read; undefined if that is not known.
 * Never throws.
 */
export function changedSecrets(
  commands: readonly SimpleCommand[],
  userHome: string,
): readonly PathWord[] | undefined {
  const { isProtected } = createProtectedReads(userHome, []);
  const secretPaths: PathWord[] = [];
  try {
    for (const command of commands.filter(printsFiles))
      for (const cwd of command.cwds) {
        const folder = folderOf(command, cwd);
        if (folder === undefined) return undefined;
        const paths = changedFiles(folder, (path) => isProtected(fold(path)));
        secretPaths.push(...paths.map((text) => ({ text, cwd, access: "read" as const })));
      }
  } catch {
    return undefined;
  }
  return secretPaths;
}

/** Subcommands that compare or search the files of the worktree, and options with which they do not. */
const COMPARES: ReadonlySet<string> = new Set(["diff", "diff-files", "diff-index", "difftool", "grep"]);
const OF_INDEX: ReadonlySet<string> = new Set(["--cached", "--staged"]);
/** Options that print names and counts; and those that print contents beside them. */
const SUMMARY =
  /^--(?:stat|shortstat|numstat|dirstat|cumulative|summary|name-only|name-status|quiet|check)(?:=|$)/;
const CONTENT = /^(?:-[a-z]*[puU]|--(?:patch|unified|word-diff|color-words|function-context|ext-diff))/;
/** Subcommands that print a diff with these options. */
const MAY_COMPARE: ReadonlySet<string> = new Set("status commit add stash checkout restore reset".split(" "));
const DIFF_OPTION = /^-[A-Za-z]*[pvie]|^--(?:p|v|i|e)/;

function printsFiles({ words }: SimpleCommand): boolean {
  if (basename(words[0]?.text ?? "") !== "git") return false;
  const texts = words.slice(1).map(({ text }) => text);
  const at = texts.findIndex((text) => COMPARES.has(text) || MAY_COMPARE.has(text));
  const [subcommand = "", ...rest] = texts.slice(Math.max(at, 0));
  if (MAY_COMPARE.has(subcommand)) return rest.some((text) => DIFF_OPTION.test(text));
  if (!COMPARES.has(subcommand) || rest.some((text) => OF_INDEX.has(text))) return false;
  return !rest.some((text) => SUMMARY.test(text)) || rest.some((text) => CONTENT.test(text));
}

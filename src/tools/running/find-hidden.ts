import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { IsHidden } from "../../core/session/hidden-paths.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";
import { quoteName } from "../../util/text/file-name.ts";
import { isWithin, outermost } from "../../util/text/paths/is-within.ts";

/** Each path is a mount in the sandbox. */
const MAX_PATHS = 500;

/** Folders with packages and with what git has stored: policy protects no file there, and they have most of the files of a workspace. */
export const WITHOUT_PROTECTED = ["--glob=!node_modules", "--glob=!.git"];

/** A folder in which policy would hide files of both names has nothing to show. */
const ANY_NAMES = ["toolwright-any-name", ".toolwright-any-name"];

/**
 * Returns the files that policy hides in the folders; if it hides a folder or all names in it, the folder. Throws if there are too many. `flags` are
 * further ones of ripgrep.
 */
export async function findHidden(
  folders: readonly string[],
  isHidden: IsHidden,
  signal: AbortSignal,
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  const hiddenPaths = new Set<string>();
  for (const folder of folders) if (isHidden(folder)) throw tooMany(`the folder ${folder} itself`);
  for (const folder of outermost(folders)) {
    await runRipgrep({
      args: ["--files", "--hidden", "--no-ignore", "--null", ...flags],
      cwd: folder,
      separator: "\0",
      signal,
      onLine(line) {
        const path = join(folder, line);
        if (isHidden(path)) hiddenPaths.add(highest(path, folder, isHidden));
        return hiddenPaths.size <= MAX_PATHS;
      },
    });
  }
  if (hiddenPaths.size > MAX_PATHS) throw tooMany(`over ${MAX_PATHS} files`);
  // The arguments of a program are text, so nothing can be mounted there.
  for (const path of hiddenPaths)
    if (!path.isWellFormed()) throw tooMany(`${quoteName(path)}, which is not UTF-8`);
  return [...hiddenPaths];
}

function highest(path: string, folder: string, isHidden: IsHidden): string {
  const parent = dirname(path);
  return parent !== folder && isWithin(parent, folder) && hidesAll(parent, isHidden)
    ? highest(parent, folder, isHidden)
    : path;
}

function hidesAll(folder: string, isHidden: IsHidden): boolean {
  return isHidden(folder) || ANY_NAMES.every((name) => isHidden(join(folder, name)));
}

function tooMany(what: string): ToolError {
  return new ToolError("UNAVAILABLE", `no sandbox is available: rules and protected files hide ${what}`, {
    hint: "outside_sandbox: true asks for approval to run the command outside",
  });
}

import type { HeldFolder } from "../../../system/paths/folder.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import { hasIgnoresAbove } from "./ignores-above.ts";
import { isHidden, nameFlags } from "./glob-names.ts";

export interface ListOptions {
  readonly folder: HeldFolder;
  readonly includeHidden: boolean;
  readonly respectGitignore: boolean;
  /** Only files with these names, as `lastNamesOf` returns them. */
  readonly names?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** On an abort the walk ends with what it has found. */
  readonly until?: AbortSignal;
  /** Ripgrep sorts, newest first, and returns nothing before it has found all files. */
  readonly newestFirst?: boolean;
  /** Receives one path, relative to the folder. */
  onFile(path: string): void;
}

/** Walks all files below a folder without following links; returns what could not be read. */
export async function listFiles(options: ListOptions): Promise<string> {
  const { names, includeHidden, respectGitignore, until, folder } = options;
  const mayBeHidden = includeHidden || names === undefined;
  const isAlone = respectGitignore && !(await hasIgnoresAbove(folder.path));
  const { errors } = await runRipgrep({
    args: [
      "--files",
      "--null",
      ...(options.newestFirst === true ? ["--sortr=modified"] : []),
      ...walkFlags(options),
      ...(isAlone ? ["--no-ignore-parent"] : []),
      ...nameFlags(names),
    ],
    cwd: folder.here,
    signal: options.signal,
    ...(until !== undefined && { until }),
    separator: "\0",
    onLine(path) {
      if (mayBeHidden || !isHidden(path)) options.onFile(path);
      return true;
    },
  });
  return errors;
}

/** Returns the ripgrep flags that select files; `.git` is never included. */
export function walkFlags(
  options: Pick<ListOptions, "includeHidden" | "respectGitignore">,
): readonly string[] {
  return [
    ...(options.includeHidden ? ["--hidden", "--glob=!.git"] : []),
    ...(options.respectGitignore ? [] : ["--no-ignore"]),
  ];
}

/** Returns a line about folders that could not be read; none if all could. */
export function unreadNote(errors: string): readonly string[] {
  if (errors === "") return [];
  const lines = errors
    .split("\n")
    .map((line) => line.replace(/^rg: (\.\/)?/, "").replace(/IO error for operation on .*?: /, ""));
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
  return [`[not everything could be read: ${lines[0]}${more}]`];
}

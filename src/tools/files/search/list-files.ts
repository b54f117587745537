import type { HeldFolder } from "../../../system/paths/folder.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import { hasIgnoresAbove } from "./ignores-above.ts";
import { isHidden, nameFlags } from "./glob-names.ts";

export interface ListOptions {
  readonly folder: HeldFolder;
  readonly includeHidden: boolean;
  readonly respectGitignore: boolean;
  /** Only files of such names, as `lastNamesOf` gives them. */
  readonly names?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Aborted, the walk ends with what it has seen. */
  readonly until?: AbortSignal;
  /** Ripgrep sorts, the newest first, and so gives nothing before it has seen everything. */
  readonly newestFirst?: boolean;
  /** Takes one path, relative to the folder. */
  onFile(path: string): void;
}

/** Walks all files below a folder, links not followed; says what could not be looked into. */
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

/** Which files ripgrep looks at; the insides of git are nobody's files. */
export function walkFlags(
  options: Pick<ListOptions, "includeHidden" | "respectGitignore">,
): readonly string[] {
  return [
    ...(options.includeHidden ? ["--hidden", "--glob=!.git"] : []),
    ...(options.respectGitignore ? [] : ["--no-ignore"]),
  ];
}

/** A line for the answer about what could not be looked into; none where all went well. */
export function unreadNote(errors: string): readonly string[] {
  if (errors === "") return [];
  const lines = errors
    .split("\n")
    .map((line) => line.replace(/^rg: (\.\/)?/, "").replace(/IO error for operation on .*?: /, ""));
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
  return [`[not everything could be read: ${lines[0]}${more}]`];
}

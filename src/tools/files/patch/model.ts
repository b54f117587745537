/** A line of a hunk. */
export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** The patch has a CR at the end of the line. */
  readonly hasCr: boolean;
  /** The patch marks that no newline follows. */
  readonly noNewline: boolean;
}

/** One changed place of a file. */
export interface Hunk {
  /** Its name in errors. */
  readonly label: string;
  readonly lines: readonly HunkLine[];
  /** The first old line, from 1; undefined if the patch has none. */
  readonly oldStart?: number;
  /** Lines that precede it, each after the one before. */
  readonly anchors: readonly string[];
  /** A line that it contains or that precedes it, if the file has such a line. */
  readonly near?: string;
  /** Without old lines its place is unknown. */
  readonly needsOldLines?: true;
  /** Its old lines are the last of the file. */
  readonly isAtEnd: boolean;
}

/** The changes of a patch to one file. */
export interface FilePatch {
  readonly action: "add" | "update" | "delete";
  readonly path: string;
  /** The file's new name. */
  readonly moveTo?: string;
  readonly hunks: readonly Hunk[];
  /** The permissions that the patch sets. */
  readonly mode?: number;
  /** True if adding or moving replaces an existing file. */
  readonly mayReplace: boolean;
  /** True if the hunks of a deletion contain the whole file. */
  readonly saysContent: boolean;
}

/** Returns the lines that a hunk expects in the file. */
export function oldLines({ lines }: Hunk): readonly HunkLine[] {
  return lines.filter(({ kind }) => kind !== "added");
}

/** Returns the lines of a hunk after the change. */
export function newLines({ lines }: Hunk): readonly HunkLine[] {
  return lines.filter(({ kind }) => kind !== "removed");
}

/** Returns the paths of files that a patch may replace without their old content. */
export function replacedPaths(patches: readonly FilePatch[]): readonly string[] {
  const replacing = patches.filter(({ mayReplace }) => mayReplace);
  return replacing.flatMap(({ action, path, moveTo }) => moveTo ?? (action === "add" ? path : []));
}

/** Returns all paths of a patch, each once, in order. */
export function namedPaths(patches: readonly FilePatch[]): readonly string[] {
  return [
    ...new Set(patches.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]))),
  ];
}

/** Returns the paths without a file after the patch: deleted or moved away. */
export function gonePaths(patches: readonly FilePatch[]): readonly string[] {
  const gone = new Set<string>();
  for (const { action, path, moveTo } of patches) {
    if (action === "delete" || moveTo !== undefined) gone.add(path);
    else gone.delete(path);
    if (moveTo !== undefined) gone.delete(moveTo);
  }
  return [...gone];
}

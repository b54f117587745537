/** A line of a hunk. */
export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** The patch has a CR at the end of the line. */
  readonly hasCr: boolean;
  /** The patch says that no newline follows. */
  readonly noNewline: boolean;
}

/** One place that a patch changes. */
export interface Hunk {
  /** How it is named in errors. */
  readonly label: string;
  readonly lines: readonly HunkLine[];
  /** Where its old lines begin, from 1; undefined where the patch does not say. */
  readonly oldStart?: number;
  /** Lines that stand before it, each somewhere after the former. */
  readonly anchors: readonly string[];
  /** Its old lines are the last of the file. */
  readonly isAtEnd: boolean;
}

/** What a patch does to one file. */
export interface FilePatch {
  readonly action: "add" | "update" | "delete";
  readonly path: string;
  /** The file's new name. */
  readonly moveTo?: string;
  readonly hunks: readonly Hunk[];
  /** The permissions that the patch sets. */
  readonly mode?: number;
  /** Whether adding to, or moving to, a name that is taken replaces what is there. */
  readonly mayReplace: boolean;
  /** Whether the hunks of a deletion say all that the file contains. */
  readonly saysContent: boolean;
}

/** The lines that a hunk expects in the file. */
export function oldLines({ lines }: Hunk): readonly HunkLine[] {
  return lines.filter(({ kind }) => kind !== "added");
}

/** The lines that a hunk leaves in the file. */
export function newLines({ lines }: Hunk): readonly HunkLine[] {
  return lines.filter(({ kind }) => kind !== "removed");
}

/** The paths at which a patch may replace a whole file without saying what it contained. */
export function replacedPaths(patches: readonly FilePatch[]): readonly string[] {
  const replacing = patches.filter(({ mayReplace }) => mayReplace);
  return replacing.flatMap(({ action, path, moveTo }) => moveTo ?? (action === "add" ? path : []));
}

/** Every path that a patch names, once each, in order. */
export function namedPaths(patches: readonly FilePatch[]): readonly string[] {
  return [
    ...new Set(patches.flatMap(({ path, moveTo }) => (moveTo === undefined ? [path] : [path, moveTo]))),
  ];
}

/** The paths at which a patch leaves no file: deleted or moved away, and nothing put there since. */
export function gonePaths(patches: readonly FilePatch[]): readonly string[] {
  const gone = new Set<string>();
  for (const { action, path, moveTo } of patches) {
    if (action === "delete" || moveTo !== undefined) gone.add(path);
    else gone.delete(path);
    if (moveTo !== undefined) gone.delete(moveTo);
  }
  return [...gone];
}

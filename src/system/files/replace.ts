import { ToolError } from "../../core/errors.ts";
import type { Stats } from "node:fs";
import { dirname } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import { fileFault } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import { createFileOperations } from "./operations.ts";
import { commit, untouched } from "./replace-commit.ts";
import type { FileChange, Remains, Staged } from "./replace-stage.ts";
import { stage } from "./replace-stage.ts";
import { nameOf } from "../paths/folder.ts";

export interface ReplaceOptions {
  readonly signal?: AbortSignal;
  readonly operations?: FileOperations | undefined;
}

export interface ReplaceOneOptions extends ReplaceOptions {
  /** What the file was when it was opened for reading and writing: one that was written to since is not replaced. */
  readonly openedAs?: Stats;
}

/**
 * Writes a whole file at once: whoever looks sees the old content or the new, never a part, also after a crash. Mode
 * (and, where we may, owner) are kept, missing folders are made. The file that was resolved is replaced and no other;
 * where nothing was, nothing that appeared meanwhile is replaced.
 */
export function replaceFile(
  fact: PathFact,
  content: string | Uint8Array,
  { openedAs, ...options }: ReplaceOneOptions = {},
): Promise<void> {
  return replaceFiles([{ fact, content, ...(openedAs !== undefined && { openedAs }) }], options);
}

/**
 * Changes several files, all or none: every new content is on the disk before the first file is replaced, and where
 * one cannot be, those before it get their old content back. If that fails too, the error says which files are new and
 * where the old ones are. Each file by itself is old or new, also after a crash; a crash between two of them may leave
 * some old and some new.
 */
export async function replaceFiles(
  changes: readonly FileChange[],
  { signal, operations = createFileOperations() }: ReplaceOptions = {},
): Promise<void> {
  const remains: Remains = { files: new Set(), held: new Map(), made: [] };
  let isDone = false;
  try {
    const staged: Staged[] = [];
    for (const change of changes) {
      staged.push(
        await stage(change, operations, remains).catch((error: unknown) => {
          throw untouched(error, change.fact.path);
        }),
      );
    }
    signal?.throwIfAborted();
    await commit(staged, operations, remains);
    isDone = true;
    await confirm(staged, operations);
  } finally {
    await tidy(remains, operations, isDone ? [] : remains.made);
  }
}

/** Waits until the disk has the new names. */
async function confirm(staged: readonly Staged[], operations: FileOperations): Promise<void> {
  const folders = new Map(staged.map((one) => [dirname(one.change.fact.path), one.folder]));
  for (const [path, folder] of folders) {
    try {
      await operations.syncFolder(folder, path);
    } catch (error) {
      const paths = staged.map(({ change }) => change.fact.path);
      const fault = fileFault(error, "sync", path);
      throw new ToolError(
        "TOOL_FAILED",
        `${paths.join(", ")} ${paths.length > 1 ? "are" : "is"} changed, but the disk did not confirm it: ${fault.message}`,
        {
          hint: "it is in effect now, but a power cut may bring back what was there before",
          details: { ...fault.details, changed: paths },
          cause: error,
        },
      );
    }
  }
}

/** Removes what has no use any more. What cannot be removed is no reason to tell anything but the outcome. */
async function tidy(remains: Remains, operations: FileOperations, made: readonly string[]): Promise<void> {
  for (const path of remains.files) await operations.remove(path).catch(() => undefined);
  for (const path of made.toReversed()) await removeMade(path, operations).catch(() => undefined);
  for (const folder of remains.held.values()) await operations.closeFolder(folder).catch(() => undefined);
}

/** Through the held parent, so that it is no other folder; one that is not empty stays. */
async function removeMade(path: string, operations: FileOperations): Promise<void> {
  const parent = await operations.holdFolder(dirname(path));
  try {
    await operations.removeFolder(parent.at(nameOf(path)));
  } finally {
    await operations.closeFolder(parent);
  }
}

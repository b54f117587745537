import { canonicalPath } from "../../config/folders.ts";
import { constants, copyFileSync } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";

/** Settings of editors can be long. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface WrittenFile {
  readonly file: string;
  /** The copy of the previous file; undefined if there was none, or nothing changed. */
  readonly backup: string | undefined;
}

/**
 * Replaces a file atomically and keeps a copy of the previous one. Leaves a file that cannot be merged unchanged. Processes with the
 * same `changesFolder` wait for each other.
 */
export async function writeMerged(
  path: string,
  merge: (text: string) => string,
  changesFolder: string,
): Promise<WrittenFile> {
  const operations = createFileOperations(changesFolder);
  // Through a link, so that its target is changed.
  const file = canonicalPath(path);
  return operations.exclusively([file], async () => {
    const before = readDocument(file, { maxBytes: MAX_BYTES })?.toString("utf8");
    const content = mergeIn(file, before ?? "", merge);
    if (content === before) return { file, backup: undefined };
    const fact = await resolveTarget(file, { cwd: dirname(file), access: "write" });
    const backup = before === undefined ? undefined : backUp(file);
    // It may contain a token: only its owner can read it, unless others could before.
    const mode = before === undefined ? { mode: 0o600 } : {};
    await replaceFiles([{ fact, content, ...mode }], { operations, isExclusive: true });
    return { file, backup };
  });
}

/** Never overwrites an earlier backup: the first is the original file. */
function backUp(file: string): string {
  for (let count = 1; ; count += 1) {
    const backup = `${file}.before-toolwright${count === 1 ? "" : `-${count}`}`;
    try {
      copyFileSync(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new ToolError("UNAVAILABLE", `cannot copy ${file} to ${backup}: ${errorMessage(error)}`, {
          cause: error,
        });
    }
  }
}

function mergeIn(file: string, text: string, merge: (text: string) => string): string {
  try {
    return merge(text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(error.code, `${file}: ${error.message}`, {
      hint: "run it without --write and copy the output into the file; the file was not changed",
      cause: error,
    });
  }
}

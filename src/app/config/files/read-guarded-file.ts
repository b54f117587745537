import { lstatSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { readDocument, type Refusal } from "../../../system/files/read-document.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * Returns the text of a file that decides what is allowed, or undefined if there is none. Throws, naming the file and what to do,
 * unless it is a regular file that only this user or root can have written: no link, no pipe, not writable by others.
 */
export function readGuardedFile(file: string): string | undefined {
  // A link could lead to a file that others write.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new ToolError("INVALID_INPUT", `${file} is a link`, { hint: "put the file itself there" });
  const options = { maxBytes: MAX_BYTES, folder: dirname(file), check: (stats: Stats) => check(file, stats) };
  return readDocument(file, options)?.toString("utf8");
}

function check(file: string, { mode, uid }: Stats): Refusal | undefined {
  const user = process.getuid?.() ?? uid;
  if (uid !== user && uid !== 0)
    return { why: "belongs to another user", hint: "copy it, so that it is your own" };
  if ((mode & 0o022) !== 0) return { why: "can be written by others", hint: `chmod go-w ${file}` };
  return undefined;
}

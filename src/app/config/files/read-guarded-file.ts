import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { ToolError } from "../../../core/errors.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * Returns the text of a file that decides what is allowed, or undefined if there is none. Throws, naming the file and what to do,
 * unless it is a regular file that only this user or root can have written: no link, no pipe, not writable by others.
 */
export function readGuardedFile(file: string): string | undefined {
  const descriptor = open(file);
  if (descriptor === undefined) return undefined;
  try {
    check(file, fstatSync(descriptor));
    return readAll(file, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function open(file: string): number | undefined {
  try {
    // Opening a pipe would wait forever; a link could lead to a file that others write.
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw refused(file, "is a link", "put the file itself there");
    throw refused(file, `cannot be read (${code})`, "make it a file that you may read, or remove it", error);
  }
}

function check(file: string, stats: Stats): void {
  const { mode, uid, size } = stats;
  const user = process.getuid?.() ?? uid;
  if (!stats.isFile()) throw refused(file, "is not a plain file", "remove it");
  if (uid !== user && uid !== 0) {
    throw refused(file, "belongs to another user", "copy it, so that it is your own");
  }
  if ((mode & 0o022) !== 0) throw refused(file, "can be written by others", `chmod go-w ${file}`);
  if (size > MAX_BYTES) throw refused(file, "is over 1 MB", "keep only the rules in it");
}

function readAll(file: string, descriptor: number): string {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += read;
    if (read === 0) break;
    if (length > MAX_BYTES) throw refused(file, "is over 1 MB", "keep only the rules in it");
  }
  return bytes.toString("utf8", 0, length);
}

function refused(file: string, why: string, hint: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `${file} ${why}`, { hint, cause });
}

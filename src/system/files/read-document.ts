import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { ToolError } from "../../core/errors.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { systemCode } from "../paths/file-fault.ts";
import { isOpenAt } from "../paths/paths.ts";
import { isKernelFile, kindOf } from "./files.ts";

const CHUNK_BYTES = 64 * 1024;
/** A device or a pipe does not block; a link that was put there since is not followed. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface DocumentOptions {
  /** A larger file is refused; at most one byte more is read. */
  readonly maxBytes: number;
  /** If set, links must not lead out of this folder: it may come from others. */
  readonly folder?: string;
  /** Returns why the open file is refused, or undefined. */
  readonly check?: (stats: Stats) => Refusal | undefined;
}

/** What is wrong with a file, and what to do. */
export interface Refusal {
  readonly why: string;
  readonly hint: string;
}

/**
 * Returns the bytes of a small regular file, or undefined if there is none. Throws `INVALID_INPUT`, naming the file and what to do, for
 * anything else: a pipe, a device, a file of the kernel, a link out of the folder, a file over the limit. Never blocks.
 */
export function readDocument(file: string, options: DocumentOptions): Buffer | undefined {
  try {
    const path = realpathSync(file);
    const { folder } = options;
    if (folder !== undefined && !isWithin(path, realpathSync(folder)))
      throw refused(file, {
        why: `is a link that leads out of ${folder}`,
        hint: "put the file itself there",
      });
    // Opening a device can have side effects.
    requireRegular(file, path, lstatSync(path));
    return readExactly(file, path, options);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const refusal = {
      why: `cannot be read (${code})`,
      hint: "make it a file that this user may read, or remove it",
    };
    throw refused(file, refusal, error);
  }
}

/** Returns the text of a small regular file; undefined for anything else, a link included. Never blocks. */
export function readSmallFile(path: string, maxBytes: number): string | undefined {
  try {
    const isRegular = lstatSync(path).isFile();
    return isRegular ? readExactly(path, undefined, { maxBytes }).toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}

function readExactly(file: string, path: string | undefined, { maxBytes, check }: DocumentOptions): Buffer {
  const descriptor = openSync(path ?? file, READ);
  try {
    const stats = fstatSync(descriptor);
    requireRegular(file, path, stats);
    if (path !== undefined && !isOpenAt(descriptor, path))
      throw refused(file, { why: "was replaced while it was opened", hint: "try again" });
    const refusal = check?.(stats);
    if (refusal !== undefined) throw refused(file, refusal);
    const bytes = stats.size > maxBytes ? undefined : readAtMost(descriptor, maxBytes);
    if (bytes !== undefined) return bytes;
    throw refused(file, { why: `is over ${sizeText(maxBytes)}`, hint: "make it smaller, or remove it" });
  } finally {
    closeSync(descriptor);
  }
}

/** Returns undefined if there is more. The size of a file says nothing: it may grow, and virtual files have none. */
function readAtMost(descriptor: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let left = maxBytes + 1; left > 0;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left));
    const length = readSync(descriptor, chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    left -= length;
  }
  return undefined;
}

function requireRegular(file: string, path: string | undefined, stats: Stats): void {
  if (stats.isFile() && (path === undefined || !isKernelFile(path))) return;
  throw refused(file, {
    why: `is ${kindOf(stats)}, not a regular file`,
    hint: "put a regular file there, or remove it",
  });
}

function refused(file: string, { why, hint }: Refusal, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `${file} ${why}`, { hint, cause });
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`;
}

import { constants, type Stats } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { toFileName } from "../../util/text/file-name.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import { isOpenAt, isSame, lstatIfExists } from "../paths/paths.ts";

/** Virtual files of the kernel: they have no size, and reading some never ends. */
const KERNEL_FOLDERS = ["/proc/", "/sys/"];

/** A file that is open, and what it was then. */
export interface OpenFile {
  /** The caller closes it. */
  readonly handle: FileHandle;
  /** Of the open file, not of what has its name now. */
  readonly stats: Stats;
  /** The time just before `stats` was taken, in milliseconds since 1970. */
  readonly checkedAt: number;
}

/**
 * Opens exactly the regular file that was resolved: does not follow links and rejects a file that was replaced since.
 * Rejects folders, devices, pipes and sockets without opening them. Never blocks. `await using` closes it.
 */
export async function openTarget(fact: PathFact, flags: number): Promise<OpenFile & AsyncDisposable> {
  // Only a regular file has a size: what was one when it was resolved need not be checked again before it is opened.
  if (fact.size === undefined || isKernelFile(fact.path)) await checkBeforeOpening(fact.path);
  const checkedAt = Date.now();
  const handle = await openExactly(fact.path, flags);
  try {
    const stats = await handle.stat();
    requireFile(fact.path, stats);
    // The identity alone proves nothing: a folder of the path may have been a link already when the file was inspected.
    if (!isSame(fact, stats) || !isOpenAt(handle.fd, fact.path)) throw swapped(fact.path);
    return { handle, stats, checkedAt, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw fileFault(error, "open", fact.path);
  }
}

/** Opening a device can have side effects, so its type must be known before. */
async function checkBeforeOpening(path: string): Promise<void> {
  const stats = await lstatIfExists(path);
  if (stats === undefined)
    throw fileFault(Object.assign(new Error("no such file"), { code: "ENOENT" }), "open", path);
  requireFile(path, stats);
}

/** Throws, naming the type, for anything but a regular file. */
function requireFile(path: string, stats: Stats): void {
  if (stats.isFile() && !isKernelFile(path)) return;
  if (stats.isSymbolicLink()) throw swapped(path);
  const kind = kindOf(stats);
  throw new ToolError("TOOL_FAILED", `${path} is ${kind}, not a regular file`, {
    ...(stats.isDirectory() && { hint: "use ls to list a folder" }),
    details: { path, kind },
  });
}

/** Returns true for a canonical path of a virtual file. */
export function isKernelFile(path: string): boolean {
  return KERNEL_FOLDERS.some((folder) => path.startsWith(folder));
}

/** Names what is not a regular file. */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  return "a file of the kernel";
}

async function openExactly(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(toFileName(path), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // The path is canonical, so a link was put there since.
    if (systemCode(error) === "ELOOP") throw swapped(path);
    throw fileFault(error, flags & (constants.O_WRONLY | constants.O_RDWR) ? "write" : "read", path);
  }
}

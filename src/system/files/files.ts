import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import { isSame, lstatOrNothing } from "../paths/paths.ts";

/** Files there are answers of the kernel: they have no size, and reading some waits for ever. */
const KERNEL_FOLDERS = ["/proc/", "/sys/"];

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
  /** A moment before `stats` was taken, in milliseconds since 1970. */
  readonly lookedAt: number;
}

/**
 * Opens the regular file that was resolved and no other: links are not followed, and a file that was swapped since is
 * refused. Folders, devices, pipes and sockets are refused by name without being opened; it never waits.
 */
export async function openTarget(fact: PathFact, flags: number): Promise<OpenFile> {
  // Only a regular file has a size: what was one when it was resolved need not be looked at again before it is opened.
  if (fact.size === undefined || isOfKernel(fact.path)) await refuseUnopened(fact.path);
  const lookedAt = Date.now();
  const handle = await openExactly(fact.path, flags);
  try {
    const stats = await handle.stat();
    refuseOtherThanFile(fact.path, stats);
    if (!isSame(fact, stats)) throw swapped(fact.path);
    return { handle, stats, lookedAt };
  } catch (error) {
    await handle.close();
    throw fileFault(error, "open", fact.path);
  }
}

/** The text of a small regular file; undefined for anything else, and where there is none. It never waits. */
export async function readSmallFile(path: string, maxBytes: number): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Opening a device can do something: what it is must be known before. */
async function refuseUnopened(path: string): Promise<void> {
  const found = await lstatOrNothing(path);
  if (found === undefined) throw fileFault(missing(), "open", path);
  refuseOtherThanFile(path, found);
}

/** Throws, naming what it is, for anything but a regular file. */
function refuseOtherThanFile(path: string, stats: Stats): void {
  if (stats.isFile() && !isOfKernel(path)) return;
  if (stats.isSymbolicLink()) throw swapped(path);
  const kind = kindOf(stats);
  throw new ToolError("TOOL_FAILED", `${path} is ${kind}, not a regular file`, {
    ...(stats.isDirectory() && { hint: "use ls to list a folder" }),
    details: { path, kind },
  });
}

function isOfKernel(path: string): boolean {
  return KERNEL_FOLDERS.some((folder) => path.startsWith(folder));
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  return "a file of the kernel";
}

async function openExactly(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // The path is canonical: what is a link there now was none before.
    if (systemCode(error) === "ELOOP") throw swapped(path);
    throw fileFault(error, flags & (constants.O_WRONLY | constants.O_RDWR) ? "write" : "read", path);
  }
}

function missing(): Error {
  return Object.assign(new Error("no such file"), { code: "ENOENT" });
}

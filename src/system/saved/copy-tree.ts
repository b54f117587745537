import { constants, lstatSync, rmdirSync, unlinkSync, type PathLike, type Stats } from "node:fs";
import {
  chmod,
  lchown,
  lstat,
  lutimes,
  mkdir,
  open,
  readlink,
  symlink,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { toFileName } from "../../util/text/file-name.ts";
import { swapped, systemCode } from "../paths/file-fault.ts";
import { enterFolder, nameOf, type HeldFolder } from "../paths/folder.ts";
import { listFolder } from "../paths/list-folder.ts";

const CHUNK_BYTES = 1024 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A copied entry and its stats at the time; paths are as `fromFileName` returns them. */
export interface Copied {
  readonly path: string;
  readonly stats: Stats;
}

export interface CopyJob {
  /** The folder that contains the entry. */
  readonly parent: HeldFolder;
  /** The canonical path of the entry. */
  readonly path: string;
  /** The path of the copy; must not exist. */
  readonly to: string;
  readonly signal?: AbortSignal;
}

/**
 * Copies a file, a link or a folder with its contents and syncs it: links as links, with mode, times and (for root) owner.
 * Never follows a link. Returns the copied entries, folders before their contents.
 */
export async function copyTree(job: CopyJob): Promise<readonly Copied[]> {
  job.signal?.throwIfAborted();
  const { parent, path, to } = job;
  const place = toFileName(parent.at(nameOf(path)));
  const stats = await lstat(place);
  const copied: Copied = { path, stats };
  if (stats.isDirectory()) return [copied, ...(await copyFolder(job, stats))];
  if (stats.isSymbolicLink()) await copyLink(place, toFileName(to), stats);
  else if (stats.isFile()) await copyFile(job, stats);
  else throw uncopied(path);
  return [copied];
}

/** Removes the copied entries. Returns the paths that changed since, which it does not remove. */
export function removeCopied(copied: readonly Copied[]): readonly string[] {
  return copied.toReversed().flatMap(({ path, stats }) => (isRemoved(path, stats) ? [] : [path]));
}

async function copyFolder({ parent, path, to, signal }: CopyJob, stats: Stats): Promise<readonly Copied[]> {
  await using folder = await enterFolder(parent, path);
  const target = toFileName(to);
  await mkdir(target, { mode: 0o700 });
  const copied: Copied[] = [];
  for await (const { name } of listFolder(folder.here)) {
    const inner = { parent: folder, path: join(path, name), to: join(to, name) };
    // One by one: as many arguments as a folder can have entries do not fit on the stack.
    for (const one of await copyTree({ ...inner, ...(signal && { signal }) })) copied.push(one);
  }
  if (isRoot()) await lchown(target, stats.uid, stats.gid);
  await chmod(target, stats.mode & 0o7777);
  await lutimes(target, stats.atime, stats.mtime);
  await syncFolder(target);
  return copied;
}

async function copyFile({ parent, path, to, signal }: CopyJob, stats: Stats): Promise<void> {
  await using source = await open(toFileName(parent.at(nameOf(path))), READ);
  if ((await source.stat()).ino !== stats.ino) throw swapped(path);
  await using target = await open(toFileName(to), "wx", 0o600);
  await copyBytes(source, target, signal);
  // Before the mode, because a change of owner clears some of its bits.
  if (isRoot()) await target.chown(stats.uid, stats.gid);
  await target.chmod(stats.mode & 0o7777);
  await target.utimes(stats.atime, stats.mtime);
  await target.sync();
}

async function copyLink(place: PathLike, to: PathLike, stats: Stats): Promise<void> {
  await symlink(await readlink(place, "buffer"), to);
  if (isRoot()) await lchown(to, stats.uid, stats.gid);
  await lutimes(to, stats.atime, stats.mtime);
}

async function copyBytes(source: FileHandle, target: FileHandle, signal?: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    await target.writeFile(buffer.subarray(0, bytesRead));
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Makes renames in a folder durable, if its file system can. */
export async function syncFolder(path: PathLike): Promise<void> {
  await using handle = await open(path, constants.O_RDONLY);
  await handle.sync().catch((error: unknown) => {
    const code = systemCode(error);
    if (code !== "EINVAL" && code !== "ENOTSUP") throw error;
  });
}

/** Checks and removes synchronously. Removes a folder only if it is empty. */
function isRemoved(copied: string, stats: Stats): boolean {
  const path = toFileName(copied);
  try {
    const now = lstatSync(path);
    const isSame = now.dev === stats.dev && now.ino === stats.ino;
    if (stats.isDirectory() && isSame) {
      rmdirSync(path);
      return true;
    }
    if (!isSame || now.mtimeMs !== stats.mtimeMs || now.size !== stats.size) return false;
    unlinkSync(path);
    return true;
  } catch (error) {
    return systemCode(error) === "ENOENT";
  }
}

function uncopied(path: string): ToolError {
  const message = `${path} is neither a file nor a folder nor a link: it cannot be copied to another file system`;
  return new ToolError("TOOL_FAILED", message, { details: { path } });
}

/** Returns the size of all files at and below a path. Never follows a link; unreadable folders count as empty. */
export async function measureTree(path: string, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  const stats = await lstat(toFileName(path)).catch(() => undefined);
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0;
  let bytes = 0;
  try {
    for await (const { name } of listFolder(path)) bytes += await measureTree(join(path, name), signal);
  } catch {
    signal?.throwIfAborted();
  }
  return bytes;
}

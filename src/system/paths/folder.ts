import { constants } from "node:fs";
import { mkdir, open, realpath, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { toFileName } from "../../util/text/file-name.ts";
import { fileFault, swapped, systemCode } from "./file-fault.ts";
import { isSame, lstatIfExists, pathOfOpen } from "./paths.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** An open folder: names in it are resolved through its descriptor, even if its path changes. */
export interface HeldFolder {
  /** The canonical path by which it was opened. */
  readonly path: string;
  /** A path of the folder itself, valid while it is open. */
  readonly here: string;
  /** Returns the path of a name in it. */
  at(name: string): string;
  /** Makes renames in it durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A folder that `await using` closes. */
type OpenFolder = HeldFolder & AsyncDisposable;

/** Opens the folder at a canonical path; rejects if the path now leads through a link. */
export async function holdFolder(path: string): Promise<OpenFolder> {
  const handle = await openFolder(path, path);
  return hold(handle, path);
}

/** Opens exactly the folder that was resolved. */
export async function holdTarget(fact: PathFact): Promise<OpenFolder> {
  const stats = await lstatIfExists(fact.path);
  if (stats !== undefined && !stats.isDirectory() && isSame(fact, stats)) {
    throw new ToolError("TOOL_FAILED", `${fact.path} is not a folder`, { details: { path: fact.path } });
  }
  const handle = await openFolder(fact.path, fact.path);
  if (isSame(fact, await handle.stat())) return hold(handle, fact.path);
  await handle.close();
  throw swapped(fact.path);
}

/** Opens a folder in an open folder; rejects a link. */
export async function enterFolder(parent: HeldFolder, path: string): Promise<OpenFolder> {
  return hold(await openFolder(parent.at(nameOf(path)), path), path);
}

/** Opens a folder like `holdFolder`, and creates it and its parents if missing, never through a link. */
export async function makeFolder(path: string): Promise<OpenFolder> {
  try {
    return await holdFolder(path);
  } catch (error) {
    if (!(error instanceof ToolError) || error.details?.["errno"] !== "ENOENT") throw error;
  }
  await using parent = await makeFolder(dirname(path));
  const place = parent.at(nameOf(path));
  await mkdir(place).catch((error: unknown) => {
    if (systemCode(error) !== "EEXIST") throw fileFault(error, "create", path);
  });
  return await hold(await openFolder(place, path), path);
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

async function openFolder(place: string, path: string): Promise<FileHandle> {
  try {
    return await open(toFileName(place), FOLDER);
  } catch (error) {
    throw fileFault(error, "open", path);
  }
}

async function hold(handle: FileHandle, path: string): Promise<OpenFolder> {
  const linked = pathOfOpen(handle.fd);
  const actual = linked ?? (await realpath(path).catch(() => undefined));
  if (actual !== path) {
    await handle.close();
    throw new ToolError("TOOL_FAILED", `${path} changed between check and use: it now leads elsewhere`);
  }
  const here = linked === undefined ? path : `/proc/self/fd/${handle.fd}`;
  return {
    path,
    here,
    at: (name) => join(here, name),
    async sync() {
      await handle.sync().catch((error: unknown) => {
        // Some file systems cannot sync folders.
        if (systemCode(error) !== "EINVAL" && systemCode(error) !== "ENOTSUP") throw error;
      });
    },
    close: () => handle.close(),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

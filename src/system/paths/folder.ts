import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readlink, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, swapped, systemCode } from "./file-fault.ts";
import { isSame, lstatOrNothing } from "./paths.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** A folder held open: names inside it are reached through it, whatever happens to the path that led there. */
export interface HeldFolder {
  /** The canonical path by which it was held. */
  readonly path: string;
  /** A path of the folder itself, good for as long as it is held. */
  readonly here: string;
  /** A path of a name inside. */
  at(name: string): string;
  /** Makes changes of names inside survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Holds the folder at a canonical path; refuses one whose path has come to lead elsewhere through a link. */
export async function holdFolder(path: string): Promise<HeldFolder> {
  const handle = await openFolder(path, path);
  return hold(handle, path);
}

/** Holds the folder that was resolved and no other. */
export async function holdTarget(fact: PathFact): Promise<HeldFolder> {
  const found = await lstatOrNothing(fact.path);
  if (found !== undefined && !found.isDirectory() && isSame(fact, found)) {
    throw new ToolError("TOOL_FAILED", `${fact.path} is not a folder`, { details: { path: fact.path } });
  }
  const handle = await openFolder(fact.path, fact.path);
  if (isSame(fact, await handle.stat())) return hold(handle, fact.path);
  await handle.close();
  throw swapped(fact.path);
}

/** Holds a folder inside one that is held; a link of that name is refused. */
export async function enterFolder(parent: HeldFolder, path: string): Promise<HeldFolder> {
  return hold(await openFolder(parent.at(nameOf(path)), path), path);
}

/** Like `holdFolder`, and makes the folder and its parents where they are missing, never through a link. */
export async function makeFolder(path: string): Promise<HeldFolder> {
  try {
    return await holdFolder(path);
  } catch (error) {
    if (!(error instanceof ToolError) || error.details?.["errno"] !== "ENOENT") throw error;
  }
  const parent = await makeFolder(dirname(path));
  try {
    const place = parent.at(nameOf(path));
    await mkdir(place).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw fileFault(error, "create", path);
    });
    return await hold(await openFolder(place, path), path);
  } finally {
    await parent.close();
  }
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

async function openFolder(place: string, path: string): Promise<FileHandle> {
  try {
    return await open(place, FOLDER);
  } catch (error) {
    throw fileFault(error, "open", path);
  }
}

async function hold(handle: FileHandle, path: string): Promise<HeldFolder> {
  const link = `/proc/self/fd/${handle.fd}`;
  const linked = await readlink(link).catch(() => undefined);
  const actual = linked ?? (await realpath(path).catch(() => undefined));
  if (actual !== path) {
    await handle.close();
    throw new ToolError("TOOL_FAILED", `${path} changed between check and use: it now leads elsewhere`);
  }
  const here = linked === undefined ? path : link;
  return {
    path,
    here,
    at: (name) => join(here, name),
    async sync() {
      await handle.sync().catch((error: unknown) => {
        // Some file systems cannot do this for a folder.
        if (systemCode(error) !== "EINVAL" && systemCode(error) !== "ENOTSUP") throw error;
      });
    },
    close: () => handle.close(),
  };
}

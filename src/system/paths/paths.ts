// `fs.promises` is loaded on first use: a program that imports the engine may resolve no path.
import fs, { fstatSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { attempt } from "../../util/async/attempt.ts";
import { fromFileName, isFileName, mayBeLossy, quoteName, toFileName } from "../../util/text/file-name.ts";
import { fold } from "../../util/text/fold.ts";
import { fileFault, systemCode } from "./file-fault.ts";
import { isSystemFile } from "./system-file.ts";

const MAX_LINKS = 40;

export interface TargetOptions {
  /** The folder of relative paths. */
  readonly cwd: string;
  readonly access: PathFact["access"];
  /** The folder for a leading `~/`; without it, `~` is an ordinary name. */
  readonly home?: string;
  /** Another process will use the path: what `/proc/self` and `/dev/fd` lead to there is unknown, and they are not followed. */
  readonly isElsewhere?: boolean;
}

/**
 * Resolves a path once to the canonical target that both the check and the use share. Follows links, also one whose target
 * does not exist, and resolves `..` after them. Existing names are spelled as on the disk if the file system ignores case or
 * Unicode form. A hard link is a separate file. Never creates anything.
 */
export async function resolveTarget(path: string, options: TargetOptions): Promise<PathFact> {
  const absolute = toAbsolute(path, options);
  // Most paths are canonical already; then one lookup is enough.
  const [real, there] = await Promise.all([
    existing(absolute),
    fs.promises.lstat(toFileName(absolute)).catch(() => undefined),
  ]);
  const walked = real === absolute || real === normalized(absolute) ? undefined : await walk(absolute);
  const own = options.isElsewhere === true ? walked?.ownPath : undefined;
  const canonical = own ?? real ?? (await asOnDisk(walked?.canonical ?? absolute));
  const stats = own === undefined ? await foundAt(canonical, absolute, there) : undefined;
  refuseToChange(canonical, options.access);
  const names = [...new Set(walked?.names)].filter((name) => name !== canonical);
  const fact = {
    kind: "path",
    path: canonical,
    access: options.access,
    ...(names.length > 0 && { names }),
    ...(await markOf(canonical, options)),
  } as const;
  if (stats === undefined) return fact;
  const identity = { device: stats.dev, inode: stats.ino };
  if (!stats.isFile()) return { ...fact, ...identity };
  const file = { ...fact, ...identity, size: stats.size };
  return options.access === "read" ? file : { ...file, modifiedMs: stats.mtimeMs };
}

async function markOf(canonical: string, { access }: TargetOptions): Promise<Pick<PathFact, "isSystem">> {
  return access === "read" && (await isSystemFile(canonical)) ? { isSystem: true } : {};
}

async function foundAt(
  canonical: string,
  absolute: string,
  there: Stats | undefined,
): Promise<Stats | undefined> {
  return canonical === absolute && there !== undefined ? there : lstatIfExists(canonical);
}

/** Records of changes and saved copies have names as text. */
export function refuseToChange(path: string, access: PathFact["access"]): void {
  if (access === "read" || path.isWellFormed()) return;
  const message = `the name ${quoteName(path)} is not UTF-8: it can be read, not changed`;
  throw new ToolError("INVALID_INPUT", message, { hint: "rename it with the shell first" });
}

/** Returns true if something was at the path when it was resolved. */
export function existed(fact: PathFact): boolean {
  return fact.inode !== undefined;
}

/** Returns true for exactly the file that was resolved. */
export function isSame(fact: PathFact, stats: Stats): boolean {
  return fact.device === stats.dev && fact.inode === stats.ino;
}

/**
 * Returns true if the open file was reached by exactly this canonical path: no folder of it was a link when the file was opened.
 * Without /proc, true if that still holds and the path leads to the open file.
 */
export function isOpenAt(descriptor: number, path: string): boolean {
  const opened = pathOfOpen(descriptor);
  if (opened === undefined) return isStillAt(descriptor, path);
  // A file system that ignores case may spell it as it was first used.
  return opened === path || fold(opened) === fold(path);
}

/** Returns the canonical path of an open file; undefined without /proc. Synchronous, because the system knows it without a disk. */
export function pathOfOpen(descriptor: number): string | undefined {
  const link = `/proc/self/fd/${descriptor}`;
  return attempt(() => {
    const path = readlinkSync(link);
    return mayBeLossy(path) ? fromFileName(readlinkSync(link, "buffer")) : path;
  });
}

function isStillAt(descriptor: number, path: string): boolean {
  try {
    const [opened, named] = [fstatSync(descriptor), statSync(path)];
    return realpathSync(path) === path && opened.dev === named.dev && opened.ino === named.ino;
  } catch {
    return false;
  }
}

/** Returns the stats at a path without following a link; undefined if nothing is there. */
export async function lstatIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await fs.promises.lstat(toFileName(path));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileFault(error, "inspect", path);
  }
}

function toAbsolute(path: string, { cwd, home }: TargetOptions): string {
  if (path === "") throw new ToolError("INVALID_INPUT", "the path is empty");
  if (path.includes("\0")) throw new ToolError("INVALID_INPUT", "the path contains a NUL character");
  if (!isFileName(path)) throw new ToolError("INVALID_INPUT", `no file can have the name ${quoteName(path)}`);
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) return `${home}/${path.slice(2)}`;
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

async function existing(path: string): Promise<string | undefined> {
  try {
    const real = await fs.promises.realpath(toFileName(path));
    return mayBeLossy(real) ? fromFileName(await fs.promises.realpath(toFileName(path), "buffer")) : real;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw systemCode(error) === "ELOOP" ? loopFault(path, error) : fileFault(error, "resolve", path);
  }
}

/** Returns an absolute path without empty parts, dots and a slash at its end. */
function normalized(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

interface Walk {
  readonly canonical: string;
  /** The path as written, and the links on the way, each by the canonical path of its folder. */
  readonly names: readonly string[];
  /** Where the path enters what depends on the process that uses it, and its other parts. */
  readonly ownPath: string | undefined;
}

/** Resolves a path part by part, which also works for parts that do not exist. */
async function walk(path: string): Promise<Walk> {
  const parts = path.split("/").toReversed();
  let canonical = "/";
  let ownPath: string | undefined;
  const names = [normalized(path)];
  let links = 0;
  while (parts.length > 0) {
    const part = parts.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      canonical = dirname(canonical);
      continue;
    }
    const next = join(canonical, part);
    const target = await linkTarget(next);
    if (target === undefined) {
      canonical = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw loopFault(path);
    names.push(next);
    if (next.startsWith("/proc/")) ownPath ??= normalized([next, ...parts.toReversed()].join("/"));
    if (target.startsWith("/")) canonical = "/";
    parts.push(...target.split("/").toReversed());
  }
  return { canonical, names, ownPath };
}

/** Returns a path without links, with its existing folders spelled as on the disk. */
async function asOnDisk(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return join((await existing(parent)) ?? (await asOnDisk(parent)), basename(path));
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return fromFileName(await fs.promises.readlink(toFileName(path), "buffer"));
  } catch (error) {
    const code = systemCode(error);
    if (code === "EINVAL" || code === "ENOENT") return undefined;
    throw fileFault(error, "resolve", path);
  }
}

function loopFault(path: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `${path} contains a loop of links`, { cause });
}

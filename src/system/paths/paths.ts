import type { Stats } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, systemCode } from "./file-fault.ts";

const MAX_LINKS = 40;

export interface TargetOptions {
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly access: PathFact["access"];
  /** What a leading `~/` stands for; without it, `~` is a name like any other. */
  readonly home?: string;
}

/**
 * Resolves a path once into the canonical target that both the check and the use share: links are followed, also one
 * that points at nothing yet, and `..` is taken after them. What exists is spelled as the disk spells it, where case or
 * Unicode forms do not matter to it; where they do, other spellings are other files. A hard link is a file of its own:
 * nothing tells which of its names is the true one. Never creates anything.
 */
export async function resolveTarget(path: string, options: TargetOptions): Promise<PathFact> {
  const absolute = toAbsolute(path, options);
  // Most paths are canonical already: then what is there was looked up at the same time.
  const [real, there] = await Promise.all([existing(absolute), lstat(absolute).catch(() => undefined)]);
  const canonical = real ?? (await asOnDisk(await walk(absolute)));
  const found = canonical === absolute && there !== undefined ? there : await lstatOrNothing(canonical);
  const fact = { kind: "path", path: canonical, access: options.access } as const;
  if (found === undefined) return fact;
  const identity = { device: found.dev, inode: found.ino };
  if (!found.isFile()) return { ...fact, ...identity };
  const file = { ...fact, ...identity, size: found.size };
  return options.access === "read" ? file : { ...file, modifiedMs: found.mtimeMs };
}

/** True where something was at the path when it was resolved. */
export function existed(fact: PathFact): boolean {
  return fact.inode !== undefined;
}

/** True for the very thing that was resolved. */
export function isSame(fact: PathFact, found: Stats): boolean {
  return fact.device === found.dev && fact.inode === found.ino;
}

/** What is at a path, itself and not what it links to; undefined where there is nothing. */
export async function lstatOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileFault(error, "look at", path);
  }
}

function toAbsolute(path: string, { cwd, home }: TargetOptions): string {
  if (path === "") throw new ToolError("INVALID_INPUT", "the path is empty");
  if (path.includes("\0")) throw new ToolError("INVALID_INPUT", "the path contains a NUL character");
  if (home !== undefined && (path === "~" || path.startsWith("~/"))) return `${home}/${path.slice(2)}`;
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

async function existing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw systemCode(error) === "ELOOP" ? loopFault(path, error) : fileFault(error, "resolve", path);
  }
}

/** Follows the path part by part, which also works past the point where things stop to exist. */
async function walk(path: string): Promise<string> {
  const parts = path.split("/").toReversed();
  let canonical = "/";
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
    if (target.startsWith("/")) canonical = "/";
    parts.push(...target.split("/").toReversed());
  }
  return canonical;
}

/** A path that leads through no link, its folders spelled as the disk has them as far as they exist. */
async function asOnDisk(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return join((await existing(parent)) ?? (await asOnDisk(parent)), basename(path));
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "EINVAL" || code === "ENOENT") return undefined;
    throw fileFault(error, "resolve", path);
  }
}

function loopFault(path: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `${path} goes through links that lead back to themselves`, { cause });
}

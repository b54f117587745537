import { constants, createReadStream, type Stats } from "node:fs";
import { copyFile, lstat, lutimes, mkdir, chmod, readdir, readlink, symlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { kindOf } from "../saved/trash-entry.ts";
import { quoteName } from "../../util/text/file-name.ts";

/** What the owner of a folder needs to fill it. */
export const OPEN = 0o700;

/** A file, folder or link in a tree. */
export interface Entry {
  readonly kind: "file" | "folder" | "link";
  /** The permissions; 0 for a link. */
  readonly mode: number;
  /** The target of a link. */
  readonly target?: string;
  /** Differs if the content or anything else of the entry was changed; no program can set it. */
  readonly stamp: string;
  readonly size: number;
}

/** The entries of a tree by their path below its root, folders before their content. */
export type Tree = ReadonlyMap<string, Entry>;

/** Returns the entries below a folder, without those that `skips` names; other kinds of files are left out. */
export async function readTree(root: string, skips: (path: string) => boolean): Promise<Tree> {
  const tree = new Map<string, Entry>();
  const visit = async (folder: string): Promise<void> => {
    const names = await readdir(join(root, folder), { encoding: "buffer" });
    for (const bytes of names.toSorted((one, other) => one.compare(other))) {
      const name = bytes.toString("utf8");
      if (!Buffer.from(name).equals(bytes)) throw notText(join(root, folder), bytes);
      const path = join(folder, name);
      if (skips(path)) continue;
      const entry = await readEntry(join(root, path));
      if (entry === undefined) continue;
      tree.set(path, entry);
      if (entry.kind === "folder") await visit(path);
    }
  };
  await visit("");
  return tree;
}

/** Returns undefined if nothing, or something else than a file, folder or link, is at the path. */
export async function readEntry(path: string): Promise<Entry | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const { ino, ctimeMs, mtimeMs, size } = stats;
  const common = { stamp: `${ino}:${ctimeMs}:${mtimeMs}`, size };
  const kind = kindOf(stats);
  if (kind === "other") return undefined;
  if (kind === "link") return { ...common, kind, mode: 0, target: await readlink(path) };
  return { ...common, kind, mode: stats.mode & 0o7777 };
}

/** Copies one entry, with its permissions and times, to a path that must not exist. Its owner may fill a folder, whatever its permissions. */
export async function copyEntry(from: string, to: string, { kind, mode, target = "" }: Entry): Promise<void> {
  const [atime, mtime] = timesOf(await lstat(from));
  if (kind === "link") {
    await symlink(target, to);
    return lutimes(to, atime, mtime);
  }
  if (kind === "folder") await mkdir(to);
  else await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, kind === "folder" ? mode | OPEN : mode);
  return utimes(to, atime, mtime);
}

/** In seconds: dates have whole milliseconds only. */
export function timesOf({ atimeMs, mtimeMs }: Stats): readonly [accessed: number, changed: number] {
  return [atimeMs / 1000, mtimeMs / 1000];
}

/** Returns true if two entries would look the same to a program: kind, permissions and content. */
export async function isSame(
  [one, onePath]: readonly [Entry, string],
  [other, otherPath]: readonly [Entry, string],
): Promise<boolean> {
  if (one.kind !== other.kind || one.mode !== other.mode || one.target !== other.target) return false;
  return one.kind !== "file" || (one.size === other.size && (await hasSameContent(onePath, otherPath)));
}

async function hasSameContent(one: string, other: string): Promise<boolean> {
  const others = createReadStream(other)[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(one) as AsyncIterable<Buffer>) {
    while (rest.length < chunk.length) {
      const { value } = await others.next();
      if (value === undefined) return false;
      rest = Buffer.concat([rest, value]);
    }
    if (!rest.subarray(0, chunk.length).equals(chunk)) return false;
    rest = rest.subarray(chunk.length);
  }
  return rest.length === 0 && (await others.next()).value === undefined;
}

function notText(folder: string, name: Buffer): ToolError {
  const path = join(folder, quoteName(name.toString("latin1")));
  return new ToolError("UNAVAILABLE", `the workspace cannot be copied: the name of ${path} is not UTF-8`, {
    hint: 'rename it, or use "workspace": "write"',
  });
}

/** Returns the folders above a path in a tree, the outermost first. */
export function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === "." ? [] : [...parentsOf(parent), parent];
}

// Records what this process changes in a folder, call by call. Import it before the code under test.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

/** One change of the folder, or a request that changes be on the disk. Files have numbers, so that names can change. */
export type Write =
  /** The whole new content of a file. */
  | { readonly kind: "content"; readonly file: number; readonly bytes: Buffer }
  /** Bytes of a file, from an offset on; the others stay. */
  | { readonly kind: "data"; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "size"; readonly file: number; readonly size: number }
  /** Names that one call changes together, with the file of each afterwards; null for none. */
  | { readonly kind: "names"; readonly names: ReadonlyMap<string, number | null> }
  | { readonly kind: "sync"; readonly file: number }
  /** Something that the caller was told. */
  | { readonly kind: "told"; readonly what: string };

/** The names in a folder, and the content of each file; undefined for a folder. */
export interface Tree {
  readonly names: ReadonlyMap<string, number>;
  readonly contents: ReadonlyMap<number, Buffer | undefined>;
}

export interface Recorded {
  readonly root: string;
  readonly before: Tree;
  /** The files that are folders. */
  readonly folders: ReadonlySet<number>;
  readonly writes: readonly Write[];
}

const CHANGES = [
  "write",
  "writeFile",
  "appendFile",
  "rename",
  "link",
  "unlink",
  "rm",
  "rmdir",
  "mkdir",
  "open",
];
const MORE = ["copyFile", "ftruncate", "truncate", "symlink"];
const SYNCS = ["fsync", "fdatasync"];
const HANDLE = ["write", "writeFile", "appendFile", "truncate", "writev"];

type Method = (this: unknown, ...args: unknown[]) => unknown;

const real = { ...fs };
let recording:
  | { readonly root: string; last: Tree; readonly folders: Set<number>; readonly writes: Write[] }
  | undefined;

/** Runs some work and returns what it has changed below a folder. The work tells what its caller learns. */
export async function recordWrites(
  root: string,
  work: (tell: (what: string) => void) => Promise<unknown>,
): Promise<Recorded> {
  await replaceHandles();
  const before = scan(root);
  recording = { root, last: before, folders: new Set(), writes: [] };
  const { folders, writes } = recording;
  try {
    await work((what) => {
      look();
      writes.push({ kind: "told", what });
    });
    look();
    return { root, before, folders, writes };
  } finally {
    recording = undefined;
  }
}

let isLooking = false;

/** Records what has changed since the last look: one call has made it. */
function look(): void {
  // Some functions of Node call others.
  if (recording === undefined || isLooking) return;
  const { root, last, writes } = recording;
  isLooking = true;
  const now = scan(root);
  isLooking = false;
  const names = new Map<string, number | null>();
  for (const [path, file] of now.names) if (last.names.get(path) !== file) names.set(path, file);
  for (const path of last.names.keys()) if (!now.names.has(path)) names.set(path, null);
  if (names.size > 0) writes.push({ kind: "names", names });
  for (const [file, content] of now.contents) {
    const before = last.contents.get(file) ?? Buffer.alloc(0);
    if (content === undefined) recording.folders.add(file);
    if (content === undefined || content.equals(before)) continue;
    const isAppended = content.length > before.length && content.subarray(0, before.length).equals(before);
    const offset = before.length;
    if (isAppended) writes.push({ kind: "data", file, offset, bytes: content.subarray(offset) });
    else writes.push({ kind: "content", file, bytes: content });
  }
  recording.last = now;
}

/** Records that a file or folder is on the disk, as far as it had been written. */
function synced(descriptor: number): void {
  look();
  const { ino } = real.fstatSync(descriptor);
  recording?.writes.push({ kind: "sync", file: ino });
}

/** Returns what is in a folder. */
export function scan(root: string): Tree {
  const names = new Map<string, number>();
  const contents = new Map<number, Buffer | undefined>();
  const visit = (folder: string): void => {
    const { ino } = real.statSync(join(root, folder));
    names.set(folder, ino);
    contents.set(ino, undefined);
    for (const entry of real.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) {
        const file = real.lstatSync(join(root, path)).ino;
        names.set(path, file);
        contents.set(file, real.readFileSync(join(root, path)));
      }
    }
  };
  visit(".");
  return { names, contents };
}

for (const name of [...CHANGES, ...MORE]) {
  wrap(fs, `${name}Sync`, look);
  wrap(fs.promises, name, look);
}
for (const name of SYNCS) wrap(fs, `${name}Sync`, (descriptor) => synced(Number(descriptor)));
syncBuiltinESMExports();

let hasHandles = false;

/** Wraps the methods of opened files, whose class Node does not export. */
async function replaceHandles(): Promise<void> {
  if (hasHandles) return;
  hasHandles = true;
  const handle = await fs.promises.open("/dev/null");
  const prototype = Object.getPrototypeOf(handle) as object;
  for (const name of HANDLE) wrap(prototype, name, look);
  for (const name of ["sync", "datasync"])
    wrap(prototype, name, function (this: unknown) {
      synced((this as { readonly fd: number }).fd);
    });
  await handle.close();
}

/** Calls `after` when a method has done its work, before its caller goes on. */
function wrap(target: object, name: string, after: (this: unknown, ...args: unknown[]) => void): void {
  const methods = target as Record<string, Method | undefined>;
  const method = methods[name];
  if (method === undefined) return;
  methods[name] = function (...args) {
    const value = method.apply(this, args);
    if (recording === undefined) return value;
    if (!(value instanceof Promise)) {
      after.apply(this, args);
      return value;
    }
    return value.then((result: unknown) => {
      after.apply(this, args);
      return result;
    });
  };
}

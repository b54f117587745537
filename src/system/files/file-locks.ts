import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { loadCrypto } from "../crypto.ts";
import { loadSqlite, sqliteCode } from "../sqlite.ts";

/** Runs work while no other work, in this process or another with the same folder, uses one of the paths. */
export type Exclusively = <T>(
  paths: readonly string[],
  work: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** The number of locks: files share one by the hash of their path, so that the folder does not grow. */
const LOCKS = 256;
const TIMEOUT_MS = 20_000;
const MAX_PAUSE_MS = 20;
/** Result codes of SQLite. */
const [BUSY, CANNOT_OPEN] = [5, 14];

/**
 * Creates locks of files by their canonical path. The operating system holds them for the process, and frees them when it ends in
 * any way. Without a folder, or where it cannot be used, only this process is locked out. Not reentrant.
 */
export function createFileLocks(folder?: string): Exclusively {
  const serialize = createSerializer();
  if (folder === undefined) return (paths, work) => serialize(work, paths);
  return (paths, work, signal) => {
    const names = locksOf(paths);
    return serialize(async () => {
      const held: Unlock[] = [];
      try {
        // In a fixed order, so that two patches never wait for each other.
        for (const name of names) held.push(await waitForLock(folder, name, { paths, signal }));
        return await work();
      } finally {
        for (const unlock of held) unlock();
      }
    }, names);
  };
}

/** Locks the paths if no other work uses them, else returns undefined. Never waits. */
export function tryLockFiles(folder: string, paths: readonly string[]): Unlock | undefined {
  const held: Unlock[] = [];
  const unlock = (): void => {
    for (const one of held) one();
  };
  for (const name of locksOf(paths)) {
    const lock = tryLock(folder, name);
    if (lock === undefined) {
      unlock();
      return undefined;
    }
    held.push(lock);
  }
  return unlock;
}

type Unlock = () => void;

function locksOf(paths: readonly string[]): readonly string[] {
  const { hash } = loadCrypto();
  const numbers = paths.map((path) => hash("sha256", path, "buffer").readUInt8() % LOCKS);
  return [...new Set(numbers)].sort((left, right) => left - right).map((number) => `${number}.lock`);
}

interface Waiting {
  readonly paths: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function waitForLock(folder: string, name: string, { paths, signal }: Waiting): Promise<Unlock> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    signal?.throwIfAborted();
    const unlock = tryLock(folder, name);
    if (unlock !== undefined) return unlock;
    if (performance.now() > deadline) throw stillLocked(paths);
    await wait(pauseMs * Math.random(), undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

/** Returns undefined if it is locked. */
function tryLock(
  folder: string,
  name: string,
  { isFirstTry = true }: { readonly isFirstTry?: boolean } = {},
): Unlock | undefined {
  try {
    return lock(join(folder, name));
  } catch (error) {
    const code = sqliteCode(error);
    if (code === BUSY) return undefined;
    if (code === CANNOT_OPEN && isFirstTry) {
      attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }));
      return tryLock(folder, name, { isFirstTry: false });
    }
    // A folder that cannot be used must not stop all edits: a file that changed in the meantime is still not replaced.
    return () => undefined;
  }
}

/** Throws if it is locked. Nothing is ever written, to the file or beside it. */
function lock(path: string): Unlock {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw error;
  }
  return () => database.close();
}

function stillLocked(paths: readonly string[]): ToolError {
  const seconds = TIMEOUT_MS / 1000;
  const what = `${paths.join(", ")}: another process has been changing it for ${seconds} s; nothing was changed`;
  return new ToolError("TOOL_FAILED", what, { hint: "try again later", details: { paths } });
}

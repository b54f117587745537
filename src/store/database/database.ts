import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { loadSqlite, sqliteCode } from "../../system/sqlite.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { migrate } from "./migrate.ts";

/** Opens the database file, creates it readable by its owner only, and migrates it. Never deletes or repairs one. */
export async function openDatabase(path: string): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    createFile(path);
    const { DatabaseSync } = loadSqlite();
    const opened = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    database = opened;
    opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await whenUnlocked(() => {
      // Of a new database only: then it can return free pages to the disk, a few at a time.
      opened.exec("PRAGMA auto_vacuum = INCREMENTAL");
      opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      opened.exec(
        `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${LOG_BYTES}`,
      );
      migrate(opened);
    });
    return opened;
  } catch (error) {
    database?.close();
    throw toUnavailable(error, `the store ${path} cannot be opened`);
  }
}

/**
 * Creates the file, readable by its owner only. Throws if it cannot be written. An existing one is never opened: closing it again would drop the
 * locks that SQLite holds on it in this process.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    accessSync(path, constants.W_OK);
  }
}

/** Retries until no other process holds the lock, without blocking the event loop. Throws after `timeoutMs`. */
export async function whenUnlocked<T>(attempt: () => T, timeoutMs = LOCK_TIMEOUT_MS): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
      await wait(pauseMs * (0.5 + Math.random()));
    }
  }
}

/** Creates an `UNAVAILABLE` error that says what failed, why, and what to do. */
export function toUnavailable(error: unknown, what: string): ToolError {
  if (error instanceof ToolError) return error;
  const hint = HINTS.get(sqliteCode(error) ?? systemCode(error));
  return new ToolError("UNAVAILABLE", `${what}: ${errorMessage(error)}`, { cause: error, hint });
}

/** Creates a folder that only its owner can read. */
export function makeFolder(folder: string): void {
  try {
    if (!isFolder(folder)) makeFolders(folder);
  } catch (error) {
    throw toUnavailable(error, `the folder ${folder} of the store cannot be created`);
  }
}

/** Unlike Node's `recursive`, this does not try forever in a folder such as /proc, which says ENOENT to every new name. */
function makeFolders(folder: string): void {
  try {
    makeOne(folder);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    makeFolders(dirname(folder));
    makeOne(folder);
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** In pages of 4 KB: after so many SQLite itself makes a checkpoint, if the thread of `checkpoints.ts` has made none. */
const CHECKPOINT_PAGES = 16_000;

/** The size of a write-ahead log that is reused: short calls rewrite the same pages, so it is copied seldom. */
export const LOG_BYTES = 4 * 1024 * 1024;
/** Short, because SQLite's own wait blocks the process; `whenUnlocked` waits longer. */
const BUSY_TIMEOUT_MS = 2;
const LOCK_TIMEOUT_MS = 5000;

/** SQLite's primary result codes. */
const [ERROR, BUSY, LOCKED, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE] = [
  1, 5, 6, 8, 10, 11, 13, 14, 26,
];

const [TOO_BIG, CONSTRAINT, MISMATCH] = [18, 19, 20];

const NOT_WRITABLE =
  "make its folder writable for this user, or use another store: --store FOLDER on the command line";

const NO_ROOM = "free space on the disk, or use a store on another disk: --store FOLDER on the command line";
/** SQLite also reports a full disk as an I/O error if there is no room for its other files. */
const DISK_FAILS = "the disk is full or failing: free space, check the disk, or use a store on another disk";
/** What to do with a store of which something is damaged. */
export const RECOVER =
  "nothing was deleted; toolwright store recover makes a new store of what can be read, and leaves this one in a folder beside it";
/** An error in SQL that works with every whole store. */
const CHECK = "toolwright store check says whether the store is damaged";

const HINTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["EACCES", NOT_WRITABLE],
  ["EPERM", NOT_WRITABLE],
  ["EROFS", NOT_WRITABLE],
  ["ENOENT", NOT_WRITABLE],
  [ERROR, CHECK],
  [BUSY, "another process holds the lock of the store; try again later"],
  [READ_ONLY, NOT_WRITABLE],
  [IO_ERROR, DISK_FAILS],
  [CANNOT_OPEN, NOT_WRITABLE],
  [CORRUPT, RECOVER],
  [NOT_A_DATABASE, RECOVER],
  [FULL, NO_ROOM],
  ["ENOSPC", NO_ROOM],
  ["ENOTDIR", NOT_WRITABLE],
  ["EACCES", NOT_WRITABLE],
  ["EROFS", NOT_WRITABLE],
]);

/** Returns true for an error of the disk or a lock: the same write may succeed later. */
export function isTemporary(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && code !== TOO_BIG && code !== CONSTRAINT && code !== MISMATCH;
}

/** Returns true if another process held the lock. */
export function isLocked(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

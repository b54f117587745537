import { closeSync, openSync } from "node:fs";
import type * as Sqlite from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { migrate } from "./migrations.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** Opens the database file, made for its owner only and brought to the newest form. Never deletes or repairs one. */
export async function openDatabase(path: string): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(path, "a", 0o600));
    const { DatabaseSync } = loadSqlite();
    const opened = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    database = opened;
    opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await whenUnlocked(() => {
      opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      opened.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      migrate(opened);
    });
    return opened;
  } catch (error) {
    database?.close();
    throw toUnavailable(error, `The store ${path} cannot be opened`);
  }
}

/** Tries until no other process holds the lock, without holding up this process's other work; gives up after `timeoutMs`. */
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

/** Says what failed, why, and what to do about it. */
export function toUnavailable(error: unknown, what: string): ToolError {
  if (error instanceof ToolError) return error;
  const reason = errorMessage(error);
  const hint = HINTS.get(resultCode(error) ?? systemCode(error));
  return new ToolError("UNAVAILABLE", `${what}: ${reason}.`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Of 4 KB. Moving them into the file waits for the disk, and short calls rewrite the same few: so seldom is often enough. */
const CHECKPOINT_PAGES = 4000;
/** Short, because SQLite's own wait stops the whole process; the longer wait is ours. */
const BUSY_TIMEOUT_MS = 20;
const LOCK_TIMEOUT_MS = 5000;

/** SQLite's primary result codes. */
const [BUSY, LOCKED, READ_ONLY, IO_ERROR, CORRUPT, FULL, CANNOT_OPEN, NOT_A_DATABASE] = [
  5, 6, 8, 10, 11, 13, 14, 26,
];
const NOT_WRITABLE = "Make its folder writable for this user, or choose another store.";
const NO_ROOM = "Make room on the disk, or choose a store on another one.";
/** Which a full disk is as well, where there is no room for the files beside the database. */
const DISK_FAILS =
  "The disk is full or fails: make room on it or have it looked at, or choose a store on another one.";
const DAMAGED =
  "Nothing was deleted. Move the file away to start with an empty store, or choose another store.";
const HINTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["EACCES", NOT_WRITABLE],
  ["EPERM", NOT_WRITABLE],
  ["EROFS", NOT_WRITABLE],
  [BUSY, "Another process holds the store's lock; try again when it is done."],
  [READ_ONLY, NOT_WRITABLE],
  [IO_ERROR, DISK_FAILS],
  [CANNOT_OPEN, NOT_WRITABLE],
  [CORRUPT, DAMAGED],
  [NOT_A_DATABASE, DAMAGED],
  [FULL, NO_ROOM],
  ["ENOSPC", NO_ROOM],
]);

/** True when another process held the lock. */
export function isLocked(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  // The upper bits refine the primary code.
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function systemCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Loaded on first use. Node 22 announces it as experimental, which is no news for whoever runs a tool. */
function loadSqlite(): typeof Sqlite {
  const emitWarning = Object.getOwnPropertyDescriptor(process, "emitWarning") ?? {};
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    Object.defineProperty(process, "emitWarning", emitWarning);
  }
}

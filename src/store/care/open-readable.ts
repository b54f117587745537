import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { loadSqlite } from "../../system/sqlite.ts";
import { toUnavailable } from "../database/database.ts";

/** How long reading waits for another process that recovers a log or closes the database. */
const TIMEOUT_MS = 1000;

/**
 * Opens a database to read it; nothing is changed, also on a disk that is read-only. Returns undefined for a file that is no database any more. Throws
 * if there is none, or if it cannot be read for another reason, such as a lock.
 */
export function openReadable(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) throw new ToolError("INVALID_INPUT", `there is no store at ${path}`);
  let database: DatabaseSync | undefined;
  try {
    database = open(path);
    database.prepare("SELECT name FROM sqlite_schema").all();
    return database;
  } catch (error) {
    database?.close();
    if (isDamage(error)) return undefined;
    throw cannotRead(path, error);
  }
}

/** Calls `read`; returns `otherwise` if it fails because of damage. Throws if the database cannot be read for another reason. */
export function unlessDamaged<T>(path: string, read: () => T, otherwise: (error: unknown) => T): T {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return otherwise(error);
    throw cannotRead(path, error);
  }
}

function open(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
    database.prepare("PRAGMA schema_version").get();
    return database;
  } catch (error) {
    const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (hasLog || ![CANNOT_OPEN, IO_ERROR].includes(codeOf(error))) throw error;
    // On a read-only or full disk SQLite cannot write beside the database. It need not, where no process has written to a log.
    return new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  }
}

function cannotRead(path: string, error: unknown): ToolError {
  return toUnavailable(error, `the store ${path} cannot be read`);
}

const [ERROR, IO_ERROR, CORRUPT, CANNOT_OPEN, FORMAT, NOT_A_DATABASE] = [1, 10, 11, 14, 24, 26];
/** Errors of the disk that say that the file has not what it should have. */
const [READ_FAILED, SHORT_READ, CORRUPT_FS] = [266, 522, 8458];

function isDamage(error: unknown): boolean {
  const code = extendedCodeOf(error);
  return [READ_FAILED, SHORT_READ, CORRUPT_FS].includes(code)
    ? true
    : [ERROR, CORRUPT, FORMAT, NOT_A_DATABASE].includes(code & 0xff);
}

function codeOf(error: unknown): number {
  return extendedCodeOf(error) & 0xff;
}

function extendedCodeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : -1;
}

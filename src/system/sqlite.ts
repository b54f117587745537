import type * as Sqlite from "node:sqlite";

let loaded: typeof Sqlite | undefined;

/** Loads SQLite on first use, without the warning of Node 22 that it is experimental. */
export function loadSqlite(): typeof Sqlite {
  if (loaded !== undefined) return loaded;
  const emitWarning = Object.getOwnPropertyDescriptor(process, "emitWarning") ?? {};
  process.emitWarning = () => {};
  try {
    loaded = process.getBuiltinModule("node:sqlite");
    return loaded;
  } finally {
    Object.defineProperty(process, "emitWarning", emitWarning);
  }
}

/** Returns SQLite's primary result code of an error; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  // The upper bits refine the primary code.
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

import type { DatabaseSync } from "node:sqlite";

export interface OldCallsOptions {
  /** How long answered calls are stored, at least; default: forever. */
  readonly maxAgeMs?: number;
  /** The size of the database above which the oldest answered calls are deleted, but for those of the last day; default: no limit. */
  readonly maxBytes?: number;
  /** Returns the time by which ages are measured; default: the clock. */
  readonly now?: () => number;
}

/** Deletes answered calls that are too old or too many; never an open one, nor the newest. Opens no transaction. */
export type OldCalls = ReturnType<typeof createOldCalls>;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Few at a time, so that no call waits for it, and more than all processes write in between. */
const DELETE_EVERY = 100;
const DELETE_ROWS = 200;
/** Free pages are used again; of more than these, some are returned to the disk. */
const FREE_PAGES = 1000;
const RETURNED_PAGES = 64;

/** Creates the deletion of calls by age and size. */
export function createOldCalls(
  database: DatabaseSync,
  {
    maxAgeMs = Number.POSITIVE_INFINITY,
    maxBytes = Number.POSITIVE_INFINITY,
    now = Date.now,
  }: OldCallsOptions,
) {
  const oldest = database.prepare("SELECT received_at FROM calls ORDER BY id LIMIT 1");
  const sizes = database.prepare(
    `SELECT (page_count - freelist_count) * page_size AS bytes, freelist_count AS freePages
     FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
  );
  // The newest call stays: SQLite gives the ids above the highest one, and an id that was given twice would be counted once.
  const remove = database.prepare(
    `DELETE FROM calls WHERE id IN
       (SELECT id FROM (SELECT id, state, received_at FROM calls ORDER BY id LIMIT ?2)
        WHERE state <> 'open' AND received_at < ?1) AND id < (SELECT max(id) FROM calls)`,
  );
  const deleteSome = (): void => {
    const { bytes, freePages } = { ...sizes.get() };
    const ageMs = Number(bytes) > maxBytes ? Math.min(maxAgeMs, DAY_MS) : maxAgeMs;
    const before = now() - ageMs;
    // Usually nothing is old enough, which one query shows.
    const first = oldest.get();
    if (first !== undefined && Number(first["received_at"]) < before) remove.run(before, DELETE_ROWS);
    if (Number(freePages) > FREE_PAGES) database.exec(`PRAGMA incremental_vacuum(${RETURNED_PAGES})`);
  };
  return {
    /** Deletes a limited number of them, the oldest first. */
    deleteSome,
    /** Calls `deleteSome` after every hundredth written call. */
    onWritten(ids: readonly (number | "refused")[]): void {
      if (ids.some((id) => typeof id === "number" && id % DELETE_EVERY === 0)) deleteSome();
    },
  };
}

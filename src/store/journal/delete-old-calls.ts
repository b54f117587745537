import type { DatabaseSync } from "node:sqlite";

/** Deletes answered calls that are too old; never an open one. Opens no transaction. */
export interface OldCalls {
  /** Deletes a limited number of them, the oldest first. */
  deleteSome(): void;
  /** Calls `deleteSome` after every hundredth written call. */
  onWritten(ids: readonly (number | "refused")[]): void;
}

/** Few at a time, so that no call waits for it, and more than all processes write in between. */
const DELETE_EVERY = 100;
const DELETE_ROWS = 200;

/** Creates the deletion of calls older than `maxAgeMs`; undefined deletes nothing. */
export function createOldCalls(database: DatabaseSync, maxAgeMs: number | undefined): OldCalls {
  if (maxAgeMs === undefined) return { deleteSome: () => undefined, onWritten: () => undefined };
  const oldest = database.prepare("SELECT received_at FROM calls ORDER BY id LIMIT 1");
  const remove = database.prepare(
    `DELETE FROM calls WHERE id IN
       (SELECT id FROM (SELECT id, state, received_at FROM calls ORDER BY id LIMIT ?2)
        WHERE state <> 'open' AND received_at < ?1)`,
  );
  const deleteSome = (): void => {
    const before = Date.now() - maxAgeMs;
    // Usually nothing is old enough, which one query shows.
    const first = oldest.get();
    if (first !== undefined && Number(first["received_at"]) < before) remove.run(before, DELETE_ROWS);
  };
  return {
    deleteSome,
    onWritten(ids) {
      if (ids.some((id) => id !== "refused" && id % DELETE_EVERY === 0)) deleteSome();
    },
  };
}

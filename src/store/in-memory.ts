import type { Journal } from "../core/journal.ts";
import type { CallRow } from "./call-row.ts";
import { isWanted, journalClosed, toRecord, toRow } from "./call-row.ts";
import { createEntry } from "./journal-entry.ts";

export interface MemoryJournalOptions {
  /** How many calls are kept; 10 000. */
  readonly limit?: number;
}

/** The journal of a process that keeps nothing on disk. Past the limit the oldest answered calls are forgotten, never an open one. */
export function createMemoryJournal({ limit = 10_000 }: MemoryJournalOptions = {}): Journal {
  const rows = new Map<number, CallRow>();
  let received = 0;
  let isClosed = false;

  const forget = (): void => {
    for (const [id, row] of rows) {
      if (rows.size <= limit) return;
      if (row.state !== "open") rows.delete(id);
    }
  };
  const ifOpen = (): void => {
    if (isClosed) throw journalClosed();
  };

  return {
    receive(call) {
      const id = received++;
      let row = toRow(call);
      if (!isClosed) rows.set(id, row);
      return createEntry(
        () => row,
        async (next) => {
          ifOpen();
          row = next;
          rows.set(id, row);
          if (rows.size > limit) forget();
        },
      );
    },

    async list(query = {}) {
      ifOpen();
      const wanted = [...rows.values()].toReversed().filter((row) => isWanted(row, query));
      return wanted.slice(0, query.limit).map(toRecord);
    },

    async close() {
      isClosed = true;
      rows.clear();
    },
  };
}

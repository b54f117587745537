import type { Artifacts } from "../core/store/artifacts.ts";
import { ToolError } from "../core/errors.ts";
import type { Journal } from "../core/store/journal.ts";
import { createArtifactId } from "./artifacts/artifact-names.ts";
import { createArtifactWriter } from "./artifacts/artifact-writer.ts";
import type { CallRow } from "./journal/call-row.ts";
import { isWanted, journalClosed, toRecord, toRow } from "./journal/call-row.ts";
import { createEntry } from "./journal/journal-entry.ts";
import { splitCapacity } from "./artifacts/stored-text.ts";
import type { MemorySink } from "./artifacts/memory-sink.ts";
import { createMemorySink } from "./artifacts/memory-sink.ts";
import { readSlice } from "./artifacts/read-slice.ts";
import { searchLines } from "./artifacts/search-lines.ts";

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
      const keep = (next: CallRow): undefined => {
        ifOpen();
        row = next;
        rows.set(id, row);
        if (rows.size > limit) forget();
      };
      return createEntry(() => row, keep);
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

export interface MemoryArtifactsOptions {
  /** Of one artifact; 16 MB: 8 of the head and 8 of the tail. */
  readonly maxBytes?: number;
  /** Of all together; 64 MB. Past it the oldest are forgotten. */
  readonly maxTotalBytes?: number;
}

/** The artifacts of a process that keeps nothing on disk. When there are too many the oldest are forgotten, finished or not. */
export function createMemoryArtifacts(options: MemoryArtifactsOptions = {}): Artifacts {
  const { maxTotalBytes = 64 * MB } = options;
  const maxBytes = Math.min(options.maxBytes ?? 16 * MB, maxTotalBytes);
  const capacity = splitCapacity(maxBytes);
  const kept = new Map<string, MemorySink>();
  let isClosed = false;

  const forget = (mostBytes: number): void => {
    let total = [...kept.values()].reduce((sum, sink) => sum + sink.size(), 0);
    for (const [id, sink] of kept) {
      if (total <= mostBytes) return;
      total -= sink.size();
      sink.forget();
      kept.delete(id);
    }
  };
  return {
    storage: { maxBytes, where: "memory" },

    create() {
      if (isClosed) throw new ToolError("UNAVAILABLE", "The artifacts are closed.");
      const id = createArtifactId();
      const sink = createMemorySink(id, capacity, () => forget(maxTotalBytes));
      kept.set(id, sink);
      return createArtifactWriter(id, capacity, sink);
    },

    async info(id) {
      const sink = kept.get(id);
      return sink?.text() === undefined ? undefined : sink.info();
    },

    async read(id, start, length) {
      const sink = kept.get(id);
      const text = sink?.text();
      return sink === undefined || text === undefined ? undefined : readSlice(sink.read, text, start, length);
    },

    async search(id, pattern, limit) {
      const sink = kept.get(id);
      const text = sink?.text();
      return sink === undefined || text === undefined
        ? undefined
        : searchLines(sink.read, text, pattern, limit);
    },

    async close() {
      isClosed = true;
      forget(-1);
    },
  };
}

const MB = 1024 * 1024;

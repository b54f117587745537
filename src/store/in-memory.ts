import type { Artifacts } from "../core/store/artifacts.ts";
import { ToolError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { ClaimedCall, Journal, JournalEntry } from "../core/store/journal.ts";
import { createArtifactId } from "./artifacts/artifact-names.ts";
import { createArtifactWriter } from "./artifacts/artifact-writer.ts";
import { checkQuery, isWanted, journalClosed, toRecord, toRow, type CallRow } from "./journal/call-row.ts";
import { createEntry, createToken, readToken } from "./journal/journal-entry.ts";
import { splitCapacity } from "./artifacts/stored-text.ts";
import { createMemorySink, type MemorySink } from "./artifacts/memory-sink.ts";

export interface MemoryJournalOptions {
  /** The largest number of calls; beyond it the oldest answered ones are removed; default: 10 000. */
  readonly limit?: number;
}

/** Creates a journal in memory. Over the limit the oldest answered calls are removed, never one without an answer. */
export function createMemoryJournal({ limit = 10_000 }: MemoryJournalOptions = {}): Journal {
  const rows = new Map<number, CallRow>();
  let received = 0;
  let isClosed = false;

  const trim = (): void => {
    for (const [id, row] of rows) {
      if (rows.size <= limit) return;
      if (row.answer !== null && rows.delete(id)) suspended.forget(id);
    }
  };
  const assertOpen = (): void => {
    if (isClosed) throw journalClosed();
  };
  const save = (id: number, row: CallRow): undefined => {
    assertOpen();
    rows.set(id, row);
    if (rows.size > limit) trim();
  };
  const suspended = createSuspended(rows, save);

  return {
    receive(call) {
      const id = received++;
      const row = toRow(call);
      if (!isClosed) rows.set(id, row);
      return suspended.entryOf(id, row);
    },

    async claim(token) {
      assertOpen();
      return suspended.claim(token);
    },

    async list(query = {}) {
      assertOpen();
      checkQuery(query);
      const placed = [...rows].map(([id, row]) => ({ id, row }));
      const matches = placed.toReversed().filter((one) => isWanted(one, query));
      return matches.slice(0, query.limit).map(toRecord);
    },

    async close() {
      isClosed = true;
      rows.clear();
    },
  };
}

/** Creates the entries of calls, which may be suspended and claimed. */
function createSuspended(rows: ReadonlyMap<number, CallRow>, save: (id: number, row: CallRow) => undefined) {
  const suspended = new Map<number, { readonly token: string; readonly details: JsonObject }>();
  const entryOf = (id: number, first: CallRow): JournalEntry => {
    let row = first;
    const keep = (next: CallRow): undefined => {
      save(id, next);
      row = next;
    };
    const suspend = async (open: CallRow, details: JsonObject): Promise<string> => {
      keep({ ...open, state: "pending" });
      const token = createToken(id, globalThis.crypto.randomUUID());
      suspended.set(id, { token, details });
      return token;
    };
    return createEntry(() => row, keep, suspend);
  };
  return {
    entryOf,
    forget: (id: number): unknown => suspended.delete(id),
    claim(token: string): ClaimedCall | undefined {
      const id = readToken(token)?.row ?? -1;
      const { token: own, details = {} } = suspended.get(id) ?? {};
      const row = rows.get(id);
      if (row === undefined || own !== token) return undefined;
      if (row.state !== "pending") return { record: toRecord({ id, row }), details, entry: undefined };
      const open: CallRow = { ...row, state: "open" };
      save(id, open);
      return { record: toRecord({ id, row: open }), details, entry: entryOf(id, open) };
    },
  };
}

export interface MemoryArtifactsOptions {
  /** Size limit of one artifact, half for the head and half for the tail; default: 16 MB. */
  readonly maxBytes?: number;
  /** Size limit of all artifacts, beyond which the oldest are removed; default: 64 MB. */
  readonly maxTotalBytes?: number;
}

/** Creates artifacts in memory. Over the size limit the oldest are removed, finished or not. */
export function createMemoryArtifacts(options: MemoryArtifactsOptions = {}): Artifacts {
  const { maxTotalBytes = 64 * MB } = options;
  const maxBytes = Math.min(options.maxBytes ?? 16 * MB, maxTotalBytes);
  const capacity = splitCapacity(maxBytes);
  const sinks = new Map<string, MemorySink>();
  let isClosed = false;

  const trim = (mostBytes: number): void => {
    let total = [...sinks.values()].reduce((sum, sink) => sum + sink.size(), 0);
    for (const [id, sink] of sinks) {
      if (total <= mostBytes) return;
      total -= sink.size();
      sink.discard();
      sinks.delete(id);
    }
  };
  const find = (id: string) => sinks.get(id)?.finished();
  return {
    storage: { maxBytes, where: "memory" },

    create() {
      if (isClosed) throw new ToolError("UNAVAILABLE", "the artifacts are closed");
      const id = createArtifactId();
      const sink = createMemorySink(id, capacity, () => trim(maxTotalBytes));
      sinks.set(id, sink);
      return createArtifactWriter(id, capacity, sink);
    },

    info: async (id) => find(id)?.info(),
    async read(id, start, length) {
      const file = find(id);
      return file && (await import("./artifacts/read-slice.ts")).readSlice(file, start, length);
    },
    async search(id, pattern, limit) {
      const file = find(id);
      return file && (await import("./artifacts/search-lines.ts")).searchLines(file, pattern, limit);
    },

    async close() {
      isClosed = true;
      trim(-1);
    },
  };
}

const MB = 1024 * 1024;

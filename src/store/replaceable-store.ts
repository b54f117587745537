import { ToolError } from "../core/errors.ts";
import type { Effects } from "../core/spec.ts";
import type { Artifacts } from "../core/store/artifacts.ts";
import type { Collection, Collections } from "../core/store/collection.ts";
import type { Journal, JournalEntry, ReceivedCall } from "../core/store/journal.ts";
import type { Figures } from "./figures/figures.ts";
import { isAlive, type ProcessIdentity } from "../system/process/identity.ts";

/** What an engine and its agents store. */
export interface Store {
  readonly journal: Journal;
  readonly artifacts: Artifacts;
  /** For agents, grants and queues. */
  readonly collections: Collections;
  /** Counts of the calls; absent if the store keeps none. */
  readonly figures?: Figures;
  close(): Promise<void>;
}

/** Creates the parts of a store that use another store, which can be replaced by a new one or by an error that every use throws. */
export function createReplaceableStore(first: Store) {
  let current: Store | ToolError = first;
  let last = first;
  const get = (): Store => {
    if (current instanceof ToolError) throw current;
    return current;
  };
  const { storage } = first.artifacts;
  const parts: Omit<Store, "close"> = {
    journal: {
      receive: (call) => followJournal(call, () => get().journal),
      list: async (query) => get().journal.list(query),
      claim: async (token) => get().journal.claim(token),
      close: async () => last.journal.close(),
    },
    artifacts: {
      storage,
      create: () => get().artifacts.create(),
      info: async (...given) => get().artifacts.info(...given),
      read: async (...given) => get().artifacts.read(...given),
      search: async (...given) => get().artifacts.search(...given),
      close: async () => last.artifacts.close(),
    },
    collections: {
      open: (name, options) => followCollection(() => get().collections.open(name, options)),
      close: async () => last.collections.close(),
    },
    ...(first.figures !== undefined && {
      figures: { count: async (query) => (get().figures ?? NO_FIGURES).count(query) },
    }),
  };
  return {
    parts,
    replace(next: Store | ToolError): void {
      current = next;
      if (next instanceof ToolError) return;
      const before = last;
      last = next;
      // Its calls are in the new one when they are answered.
      before.close().catch(() => undefined);
    },
    close: () => last.close(),
  };
}

/** Of a store that replaced one with figures, and has none. */
const NO_FIGURES: Figures = {
  count: async () => ({ cells: [], usage: [], countedSince: null, isPartial: false }),
};

/** Writes a call to the journal that is current when it is written, with what the earlier one had. */
function followJournal(call: ReceivedCall, current: () => Journal): JournalEntry {
  let journal = current();
  let entry = journal.receive(call);
  let started: Effects | undefined;
  const follow = async (): Promise<JournalEntry> => {
    journal = current();
    entry = journal.receive(call);
    if (started !== undefined) await entry.start(started);
    return entry;
  };
  return {
    start(effects) {
      const wasStarted =
        journal === current() ? entry.start(effects) : follow().then((one) => one.start(effects));
      started = effects;
      return wasStarted;
    },
    suspend: async (details) => (journal === current() ? entry : await follow()).suspend(details),
    settle: (...answer) =>
      journal === current() ? entry.settle(...answer) : follow().then((one) => one.settle(...answer)),
  };
}

function followCollection(current: () => Collection): Collection {
  return {
    get: async (key) => current().get(key),
    set: async (key, value) => current().set(key, value),
    update: async (key, change) => current().update(key, change),
    delete: async (key) => current().delete(key),
    list: async (options) => current().list(options),
    isAlive: async (process) => current().isAlive?.(process) ?? isAlive(process as ProcessIdentity),
  };
}

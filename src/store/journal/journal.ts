import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../core/json.ts";
import type { Journal, JournalEntry } from "../../core/store/journal.ts";
import { currentProcess, isAlive, type ProcessIdentity } from "../../system/process/identity.ts";
import { checkQuery, journalClosed, toRecord, toRow, type CallRow } from "./call-row.ts";
import { createCallTable, type CallTable } from "./call-table.ts";
import { createCallWriter } from "./call-writer.ts";
import { toUnavailable, whenUnlocked } from "../database/database.ts";
import { createEntry } from "./journal-entry.ts";
import { createOldCalls, type OldCalls, type OldCallsOptions } from "./old-calls.ts";
import { createPendingCall, type Change, type PendingCall } from "./pending-call.ts";
import { removeSettledSpools, openSpool, readSpool, type Owner, type SpooledRow } from "./spool.ts";
import { createSuspendedCalls } from "./suspended-calls.ts";
import { inTransaction } from "../database/transaction.ts";

interface SqliteJournalOptions extends OldCallsOptions {
  /** How long a write waits for the lock of another process; default: 5 s. */
  readonly lockTimeoutMs?: number;
  /** The folder for calls that are not in the database yet; default: none, and every start and answer waits for the database. */
  readonly spoolFolder?: string;
  /** Receives a sentence for each thing that is damaged. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * Creates the journal of a database that other processes may share. Opening it settles the open calls of ended processes, and of
 * no other; closing it settles its own. A call that has started or was answered is listed at once by every journal with the same
 * database and spool folder, in any process: it is in its owner's spool, or in the database. Never closes the database.
 */
export async function createSqliteJournal(
  database: DatabaseSync,
  options: SqliteJournalOptions = {},
): Promise<Journal> {
  const unlocked = <T>(work: () => T): Promise<T> => whenUnlocked(work, options.lockTimeoutMs);
  const transact: Transact = (work) => unlocked(() => inTransaction(database, work));
  const table = await attempt("opened", () => unlocked(() => createCallTable(database)));
  const oldCalls = await attempt("opened", () => createOldCalls(database, options));
  const { spoolFolder } = options;
  const owner = await register(table, transact, oldCalls, options);
  const spool =
    spoolFolder === undefined ? undefined : openSpool(spoolFolder, { ...currentProcess(), id: owner });
  const writer = createCallWriter(spool, (changes) =>
    transact(() => writeAll(changes, table, owner, oldCalls)),
  );
  const suspended = createSuspendedCalls({
    database,
    write: (work) => attempt("written", () => transact(work)),
    spooled: () => spooledCalls(table, spoolFolder),
  });
  let received = 0;
  let closing: Promise<void> | undefined;
  const entryOf = createEntries(writer, suspended, () => closing !== undefined);
  const close = async (): Promise<void> => {
    await writer.close();
    spool?.close();
    await attempt("closed", () => transact(() => table.interrupt(({ id }) => id === owner, Date.now())));
  };

  return {
    receive(one) {
      received += 1;
      const call = createPendingCall(received, toRow(one), spool?.enter(received));
      if (closing === undefined) writer.add(call);
      return entryOf(call);
    },

    async claim(token) {
      if (closing !== undefined) throw journalClosed();
      received += 1;
      const claimed = await suspended.claim(token, { owner, number: received }, spool?.enter(received));
      if (claimed === undefined) return undefined;
      const { call, details, isNew } = claimed;
      return {
        record: toRecord({ id: call.id ?? 0, row: call.current }),
        details,
        entry: isNew ? entryOf(call) : undefined,
      };
    },

    async list(query = {}) {
      if (closing !== undefined) throw journalClosed();
      checkQuery(query);
      await writer.drained();
      return attempt("read", () => table.list(query, spooledCalls(table, spoolFolder)).map(toRecord));
    },

    close: () => (closing ??= close()),
  };
}

/** Creates a function that returns the entry of a call. */
function createEntries(
  writer: ReturnType<typeof createCallWriter>,
  suspended: ReturnType<typeof createSuspendedCalls>,
  isClosing: () => boolean,
): (call: PendingCall) => JournalEntry {
  /**
   * A spooled call counts as stored. Without a spool, the caller waits for the database; while that lags behind the spool, it also waits with
   * the start of a call, but not with an answer.
   */
  const save = (call: PendingCall, row: CallRow): undefined | Promise<void> => {
    if (isClosing()) throw journalClosed();
    call.current = row;
    call.refused = undefined;
    return writer.save(call, row, row.state === "answered" || !writer.isBehind());
  };
  const suspend = async (call: PendingCall, details: JsonObject): Promise<string> => {
    if (isClosing()) throw journalClosed();
    await writer.drained();
    return suspended.suspend(call, details);
  };
  return (call) =>
    createEntry(
      () => call.current,
      (row) => save(call, row),
      (_row, details) => suspend(call, details),
    );
}

/** Reads the spools of all owners. Owners are read first: the calls of one that is removed in the meantime are in the database. */
function spooledCalls(table: CallTable, spoolFolder: string | undefined): readonly SpooledRow[] {
  if (spoolFolder === undefined) return [];
  return table.owners().flatMap((owner) => readSpool(spoolFolder, owner));
}

/** Runs the work in one transaction, when no other process has the lock. */
type Transact = <T>(work: () => T) => Promise<T>;

/** Registers this process as an owner of calls, and settles the open calls of ended owners. */
async function register(
  table: CallTable,
  transact: Transact,
  oldCalls: OldCalls,
  { spoolFolder, onProblem = () => undefined }: SqliteJournalOptions,
): Promise<number> {
  const hasEnded = (owner: ProcessIdentity): boolean => !isAlive(owner);
  const spooledBy = (owner: Owner): readonly SpooledRow[] =>
    spoolFolder === undefined ? [] : readSpool(spoolFolder, owner);
  const owner = await attempt("opened", () =>
    transact(() => {
      table.interrupt(hasEnded, Date.now(), spooledBy);
      oldCalls.deleteSome();
      return table.addOwner(currentProcess());
    }),
  );
  // An owner that has just ended is still registered: the next process that opens the journal settles its calls.
  const isSettled = (one: Owner): boolean => hasEnded(one) && !table.hasOwner(one.id);
  if (spoolFolder === undefined) return owner;
  const problems = await attempt("opened", () => removeSettledSpools(spoolFolder, isSettled));
  for (const problem of problems) onProblem(problem);
  return owner;
}

function writeAll(
  changes: readonly Change[],
  table: CallTable,
  owner: number,
  oldCalls: OldCalls,
): readonly (number | "refused")[] {
  const ids = changes.map(({ call, row }) => {
    if (call.id === undefined) return table.put(row, { owner, number: call.number });
    return table.update(call.id, row) ? call.id : "refused";
  });
  oldCalls.onWritten(ids);
  return ids;
}

async function attempt<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUnavailable(error, `the journal cannot be ${what}`);
  }
}

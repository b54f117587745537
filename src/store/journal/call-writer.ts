import { setImmediate as nextTurn } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { counted } from "../../util/text/words.ts";
import { isLocked, toUnavailable } from "../database/database.ts";
import {
  failChange,
  finishChange,
  isBehind,
  reviveAnswer,
  takeChange,
  type Change,
  type PendingCall,
} from "./pending-call.ts";
import type { CallRow } from "./call-row.ts";
import { createSpoolBatch } from "./spool-batch.ts";
import type { Spool } from "./spool.ts";

/** Writes all of them or, if it rejects, none. */
type WriteAll = (changes: readonly Change[]) => Promise<readonly (number | "refused")[]>;

/**
 * The most rows of one transaction: it runs on the thread of the event loop, which is free between two of them. So many calls are written
 * at once: calls that wait outlive a garbage collection, which then takes longer than to write them.
 */
const MAX_ROWS = 128;
/** The most text of one transaction; one row may have more. */
const MAX_TEXT = 256 * 1024;
/** The most calls that wait for the database: with more, callers wait too. */
const MAX_WAITING = 4096;
/** When spooled calls are retried if nothing else is written. */
const RETRY_MS = 1000;
/** The most answers that are held in memory while the disk refuses them. */
const MAX_BEHIND = 10_000;

/** Creates a writer that retries spooled calls until the database has them: their callers were told that they are stored. */
export function createCallWriter(spool: Spool | undefined, writeAll: WriteAll) {
  const behind = new Set<PendingCall>();
  let isClosed = false;
  /** Writes the next rows of a group. Returns true if all of them are written. */
  const writeSome = async (calls: readonly PendingCall[]): Promise<boolean> => {
    // A row is spooled before the database gets it, never after.
    batch?.write();
    return writeCalls(calls, behind, writeAll);
  };
  const group = createGroupCommit<PendingCall>(
    async (calls) => {
      batch?.write();
      const clearSpool = spool?.turn();
      const isWritten = await inTurns(calls, writeSome);
      // Unwritten calls stay in the spool, where the next process to open the journal finds them.
      if (isWritten && behind.size === 0) clearSpool?.();
      if (behind.size > 0 && !isClosed) setTimeout(tryAgain, RETRY_MS).unref();
    },
    { hurryAt: MAX_ROWS, maxWaiting: MAX_WAITING },
  );
  const add = (call: PendingCall): void => {
    if (call.queued) return;
    call.queued = true;
    group.add(call);
  };
  const tryAgain = (): void => {
    for (const call of behind) add(call);
  };
  const drained = (): Promise<void> => {
    tryAgain();
    return group.drained();
  };
  /** Resolves when the database has the call: writes now, with all that are queued. */
  const stored = (call: PendingCall): Promise<void> => {
    tryAgain();
    group.hurry();
    return new Promise((resolve, reject) => call.waiters.push({ resolve, reject }));
  };
  const batch = spool && createSpoolBatch(spool, stored);
  return {
    /** Queues a call for the next group. */
    add,
    /** Returns true while the spool holds calls that could not be written to the database. */
    isBehind: (): boolean => behind.size > 0,
    /**
     * Queues a call. Returns undefined if its row is in the spool, or a promise that resolves when the row is there or, if that is not
     * possible or `isSpoolable` is false, in the database. With too many queued calls it resolves when there is room for more.
     */
    save(call: PendingCall, row: CallRow, isSpoolable: boolean): undefined | Promise<void> {
      add(call);
      const saved = batch === undefined || !isSpoolable ? stored(call) : batch.add(call, row);
      const room = group.room();
      return room === undefined ? saved : Promise.all([saved, room]).then(() => undefined);
    },
    /** Resolves when every queued call has been tried once. */
    drained,
    /** Tries all calls a last time; rejects if some could not be written. */
    async close(): Promise<void> {
      isClosed = true;
      await drained();
      if (behind.size > 0) throw leftBehind([...behind]);
    },
  };
}

/** Writes calls, and has those in `behind` that the database refused. Returns true if all of them are written. */
async function writeCalls(
  calls: readonly PendingCall[],
  behind: Set<PendingCall>,
  writeAll: WriteAll,
): Promise<boolean> {
  for (const call of calls) reviveAnswer(call);
  const changes = calls.map(takeChange);
  const isWritten = await commit(changes, writeAll);
  for (const { call } of changes) {
    if (isBehind(call) && (call.refused === undefined || behind.size < MAX_BEHIND)) behind.add(call);
    else behind.delete(call);
  }
  return isWritten;
}

/** Passes on some calls in each turn of the event loop. Returns true if all of them are written. */
async function inTurns(
  calls: readonly PendingCall[],
  write: (some: readonly PendingCall[]) => Promise<boolean>,
): Promise<boolean> {
  let isWritten = true;
  for (let start = 0, end = 0; start < calls.length; start = end) {
    if (start > 0) await nextTurn();
    end = endOfRows(calls, start);
    isWritten = (await write(calls.slice(start, end))) && isWritten;
  }
  return isWritten;
}

/** Returns where the rows of one transaction end. */
function endOfRows(calls: readonly PendingCall[], start: number): number {
  let text = 0;
  for (let end = start; end < calls.length && end < start + MAX_ROWS; end += 1) {
    const { input, answer } = calls[end]?.current ?? {};
    text += (input?.length ?? 0) + (answer?.length ?? 0);
    if (text > MAX_TEXT) return Math.max(end, start + 1);
  }
  return Math.min(calls.length, start + MAX_ROWS);
}

/** Returns true if all of them are written. */
async function commit(changes: readonly Change[], writeAll: WriteAll): Promise<boolean> {
  try {
    const outcomes = await writeAll(changes);
    for (const [index, change] of changes.entries()) finishChange(change, outcomes[index] ?? "refused");
    return true;
  } catch (error) {
    // One call that cannot be stored must not fail the others of its group; a lock affects them all.
    if (changes.length > 1 && !isLocked(error)) {
      const each: boolean[] = [];
      for (const change of changes) each.push(await commit([change], writeAll));
      return each.every(Boolean);
    }
    for (const change of changes) failChange(change, toUnavailable(error, "the journal cannot be written"));
    return false;
  }
}

function leftBehind(calls: readonly PendingCall[]): ToolError {
  const lost = calls.filter(({ refused }) => refused !== undefined).length;
  const what = `the journal cannot be closed: ${counted(calls.length, "call")} could not be written`;
  return new ToolError("UNAVAILABLE", lost === 0 ? what : `${what}, and ${lost} of their answers are lost`, {
    hint: "calls in the spool of the store are written by the next process that opens it",
  });
}

/** How long items are queued if no caller waits for them. */
const MAX_WAIT_MS = 100;

interface GroupCommitOptions {
  /** How long items are queued if no caller waits for them; default: 100 ms. */
  readonly maxWaitMs?: number;
  /** With this number of queued items the next group is committed at once; default: no limit. */
  readonly hurryAt?: number;
  /** With this number of queued items there is no room for more; default: no limit. */
  readonly maxWaiting?: number;
}

/** Passes all queued items to `commit` together, one group at a time. `commit` must not reject. */
export function createGroupCommit<Item>(
  commit: (group: readonly Item[]) => Promise<void>,
  {
    maxWaitMs = MAX_WAIT_MS,
    hurryAt = Number.POSITIVE_INFINITY,
    maxWaiting = Number.POSITIVE_INFINITY,
  }: GroupCommitOptions = {},
) {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** True while a commit of the queued items is scheduled. */
  let isHurried = false;
  let last = Promise.resolve();

  const commitNext = async (before: Promise<void>): Promise<void> => {
    await Promise.all([before, nextTurn()]);
    const group = waiting;
    waiting = [];
    isHurried = false;
    await commit(group);
  };
  const hurry = (): void => {
    if (isHurried || waiting.length === 0) return;
    isHurried = true;
    last = commitNext(last);
  };
  const soon = (): void => {
    timer = undefined;
    hurry();
  };

  return {
    /** Commits the queued items after this turn of the event loop: a caller is waiting. */
    hurry,
    /** Queues an item for the next group, which is committed after `maxWaitMs` at the latest. */
    add(item: Item): void {
      waiting.push(item);
      // Not unreferenced: the process lives until the commit. Never cleared: an idle timer costs less than a new one.
      timer ??= setTimeout(soon, maxWaitMs);
      if (waiting.length === hurryAt) hurry();
    },
    /** Returns undefined if more items can be queued, or a promise that resolves when those queued so far have been committed. */
    room(): undefined | Promise<void> {
      if (waiting.length < maxWaiting) return undefined;
      hurry();
      return last;
    },
    /** Resolves when everything queued so far has been committed. */
    drained(): Promise<void> {
      hurry();
      return last;
    },
  };
}

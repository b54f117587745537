import { setImmediate as nextTurn } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import { isLocked, toUnavailable } from "../database/database.ts";
import {
  failChange,
  finishChange,
  isBehind,
  reviveAnswer,
  takeChange,
  type Change,
  type PendingCall,
  type Waiter,
} from "./pending-call.ts";
import type { CallRow } from "./call-row.ts";
import type { Spool, SpoolWrite } from "./spool.ts";

/** Writes all of them or, if it rejects, none. */
type WriteAll = (changes: readonly Change[]) => Promise<readonly (number | "refused")[]>;

/** When spooled calls are retried if nothing else is written. */
const RETRY_MS = 1000;
/** The most rows in one write to the spool, which holds their text in memory once more. */
const MAX_TOGETHER = 64;
/** The most answers that are held in memory while the disk refuses them. */
const MAX_BEHIND = 10_000;

interface Unspooled extends SpoolWrite {
  readonly call: PendingCall;
  readonly waiter: Waiter;
}

/** Creates a writer that retries spooled calls until the database has them: their callers were told that they are stored. */
export function createCallWriter(spool: Spool | undefined, writeAll: WriteAll) {
  const behind = new Set<PendingCall>();
  /** Rows that are written to the spool together, before the next turn of the event loop. */
  let unspooled: Unspooled[] = [];
  let first: PendingCall | undefined;
  let isClosed = false;
  const group = createGroupCommit<PendingCall>(async (calls) => {
    // A row is spooled before the database gets it, never after.
    writeSpool();
    const changes = calls.map(takeChange);
    const clearSpool = spool?.turn();
    const isWritten = await commit(changes, writeAll);
    for (const { call } of changes) {
      if (isBehind(call) && (call.refused === undefined || behind.size < MAX_BEHIND)) behind.add(call);
      else behind.delete(call);
    }
    // Unwritten calls stay in the spool, where the next process to open the journal finds them.
    if (isWritten && behind.size === 0) clearSpool?.();
    if (behind.size > 0 && !isClosed) setTimeout(tryAgain, RETRY_MS).unref();
  });
  const add = (call: PendingCall): void => {
    if (call.queued) return;
    call.queued = true;
    group.add(call);
  };
  const tryAgain = (): void => {
    for (const call of behind) {
      reviveAnswer(call);
      add(call);
    }
  };
  const drained = (): Promise<void> => {
    tryAgain();
    return group.drained();
  };
  const hurry = (): void => {
    tryAgain();
    group.hurry();
  };
  const stored = (call: PendingCall): Promise<void> => {
    hurry();
    return new Promise((resolve, reject) => call.waiters.push({ resolve, reject }));
  };
  /** The first call of a turn is written at once: alone, it waits for nothing. The others of that turn are written together. */
  const isFirst = (call: PendingCall): boolean => {
    if (first === undefined) queueMicrotask(endTurn);
    first ??= call;
    return first === call;
  };
  const endTurn = (): void => {
    first = undefined;
    writeSpool();
  };
  const writeSpool = (): void => {
    const writes = unspooled;
    unspooled = [];
    if (writes.length === 0) return;
    const isWritten = spool?.writeAll(writes) === true;
    for (const { call, row, waiter } of writes) {
      if (isWritten) call.promised = row;
      else call.waiters.push(waiter);
    }
    if (!isWritten) return hurry();
    for (const { waiter } of writes) waiter.resolve();
  };
  return {
    /** Queues a call for the next group. */
    add,
    /** Returns true while the spool holds calls that could not be written to the database. */
    isBehind: (): boolean => behind.size > 0,
    /**
     * Queues a call. Returns undefined if its row is in the spool, or a promise that resolves when the row is there or, if that is not
     * possible or `isSpoolable` is false, in the database.
     */
    save(call: PendingCall, row: CallRow, isSpoolable: boolean): undefined | Promise<void> {
      add(call);
      const { spooled } = call;
      if (spooled === undefined || !isSpoolable) return stored(call);
      if (!isFirst(call))
        return new Promise((resolve, reject) => {
          const count = unspooled.push({ call, row, spooled, waiter: { resolve, reject } });
          if (count === MAX_TOGETHER) writeSpool();
        });
      if (!spooled.write(row)) return stored(call);
      call.promised = row;
      return undefined;
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

/** Returns true if all of them are written. */
async function commit(changes: readonly Change[], writeAll: WriteAll): Promise<boolean> {
  try {
    const written = await writeAll(changes);
    for (const [index, change] of changes.entries()) finishChange(change, written[index] ?? "refused");
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
  const what = `the journal cannot be closed: ${calls.length} calls could not be written`;
  return new ToolError("UNAVAILABLE", lost === 0 ? what : `${what}, and ${lost} of their answers are lost`, {
    hint: "the others are in the spool of the store; the next process that opens it writes them",
  });
}

/** How long items are queued if no caller waits for them. */
const MAX_WAIT_MS = 100;

/** Passes all queued items to `commit` together, one group at a time. `commit` must not reject. */
export function createGroupCommit<Item>(
  commit: (group: readonly Item[]) => Promise<void>,
  maxWaitMs = MAX_WAIT_MS,
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
    },
    /** Resolves when everything queued so far has been committed. */
    drained(): Promise<void> {
      hurry();
      return last;
    },
  };
}

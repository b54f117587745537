import type { JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { alreadyAnswered, type CallRow } from "../journal/call-row.ts";
import { interruptedRow } from "../journal/interrupted-answer.ts";
import type { LastValue, LastValues } from "./last-values.ts";
import type { Owners } from "./owners.ts";

/** A call that waits for a decision: what its token and its resumption need. */
export interface Suspended {
  readonly secret: string;
  readonly details: JsonObject;
}

/** The row of a call as it is stored. */
export interface StoredRow extends CallRow {
  /** The journal that the call belongs to. */
  readonly owner: string;
  /** The sequence of its first row, by which calls are ordered; undefined in that row. */
  readonly first?: number;
  readonly suspended?: Suspended;
}

/** A call of this process. */
export interface NatsCall {
  readonly subject: string;
  current: CallRow;
  /** The row that the servers have; undefined until they have one. */
  stored: CallRow | undefined;
  /** The sequence of that row; 0 if there is none. */
  sequence: number;
  first: number | undefined;
  suspended: Suspended | undefined;
  /** No row of it is before this sequence. */
  floor: number;
  waiters: Waiter[];
  writing: Promise<void> | undefined;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

export type CallWriter = ReturnType<typeof createCallWriter>;

/** Writes the calls of one journal. Changes of a call within one turn of the event loop, or while a write is under way, are one write. */
export function createCallWriter(values: LastValues, owners: Owners) {
  const open = new Set<NatsCall>();
  let highest = 0;
  let hasFailed = false;
  const write = async (call: NatsCall, row: CallRow): Promise<void> => {
    try {
      await store(values, owners, call, row);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const onWritten = (call: NatsCall): void => {
    highest = Math.max(highest, call.sequence);
    if (call.current.state !== "open") open.delete(call);
    call.writing = undefined;
  };
  const start = (call: NatsCall): void => {
    open.add(call);
    call.writing ??= writeAll(call, (row) => write(call, row), onWritten);
  };
  const save = (call: NatsCall, row: CallRow): Promise<void> => {
    call.current = row;
    return new Promise((resolve, reject) => {
      call.waiters.push({ resolve, reject });
      start(call);
    });
  };
  const create = (subject: string, row: CallRow): NatsCall => newCall(subject, row, highest);
  return {
    create,
    /** Writes the first row of a call, which no caller waits for. */
    start,
    /** Writes a row. Rejects if it cannot be stored, and if the call was answered. */
    save(call: NatsCall, row: CallRow, suspended = call.suspended): Promise<void> {
      call.suspended = suspended;
      return save(call, row);
    },
    /** Returns a suspended call as an open one of this process, which it is once its row is saved. */
    take({ subject, sequence }: LastValue, row: StoredRow): NatsCall {
      const { first = sequence, suspended } = row;
      const call = create(subject, { ...row, state: "open" });
      return { ...call, sequence, first, suspended, floor: sequence };
    },
    /** Returns the lowest sequence of an open call; undefined if none is open. */
    openFrom: (): number | undefined => lowestFloor(open),
    /** True if a write has failed: the servers may have received it all the same, or receive it later. */
    hasFailed: (): boolean => hasFailed,
    /** Resolves when every call was written once. */
    async drained(): Promise<void> {
      await Promise.all(Array.from(open, async ({ writing }) => writing));
    },
    /** Settles the calls that are still open. */
    async interrupt(now: number): Promise<void> {
      const settled = [...open].map((call) => {
        // Another process may have answered it first.
        return save(call, interruptedRow(call.current, now)).catch(() => undefined);
      });
      await Promise.all(settled);
    },
  };
}

function newCall(subject: string, row: CallRow, floor: number): NatsCall {
  return {
    subject,
    current: row,
    stored: undefined,
    sequence: 0,
    first: undefined,
    suspended: undefined,
    floor,
    waiters: [],
    writing: undefined,
  };
}

function lowestFloor(open: Iterable<NatsCall>): number | undefined {
  let lowest: number | undefined;
  for (const { floor } of open) lowest = Math.min(lowest ?? floor, floor);
  return lowest;
}

/** Writes the current row until the servers have it, or refuse it. Never rejects: the waiters do. */
async function writeAll(
  call: NatsCall,
  write: (row: CallRow) => Promise<void>,
  onWritten: (call: NatsCall) => void,
): Promise<void> {
  // Lets the caller start or even answer the call in the same turn.
  await Promise.resolve();
  while (call.stored !== call.current) {
    const { current: row, waiters } = call;
    call.waiters = [];
    try {
      await write(row);
      for (const waiter of waiters) waiter.resolve();
    } catch (error) {
      // The caller may try again.
      if (call.current === row && call.stored !== undefined) call.current = call.stored;
      for (const waiter of waiters) waiter.reject(error);
      if (call.current === row) break;
    }
  }
  for (const waiter of call.waiters.splice(0)) waiter.reject(alreadyAnswered(call.current));
  // In the same turn as the last look at the row: a later change starts a new write.
  onWritten(call);
}

async function store(values: LastValues, owners: Owners, call: NatsCall, row: CallRow): Promise<void> {
  const { subject, sequence, first, suspended } = call;
  const stored: StoredRow = { ...row, owner: owners.own, ...defined({ first, suspended }) };
  await owners.renewIfOld();
  const newSequence = await values.put(subject, JSON.stringify(stored), sequence);
  if (newSequence === "changed") {
    // Another process has settled it.
    call.stored = { ...row, state: "interrupted" };
    call.current = call.stored;
    throw alreadyAnswered(row);
  }
  call.stored = row;
  call.sequence = newSequence;
  call.floor = newSequence;
  call.first ??= newSequence;
}

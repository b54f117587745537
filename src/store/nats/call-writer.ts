import type { JsonObject } from "../../core/json.ts";
import { alreadyAnswered, type CallRow } from "../journal/call-row.ts";
import { interruptedAnswer } from "../journal/interrupted-answer.ts";
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

  const store = async (call: NatsCall, row: CallRow): Promise<void> => {
    const { subject, sequence, first, suspended } = call;
    const text: StoredRow = {
      ...row,
      owner: owners.own,
      ...(first !== undefined && { first }),
      ...(suspended !== undefined && { suspended }),
    };
    await owners.renewIfOld();
    const written = await values.put(subject, JSON.stringify(text), sequence);
    if (written === "changed") {
      // Another process has settled it.
      call.current = call.stored = { ...row, state: "interrupted" };
      throw alreadyAnswered(row);
    }
    call.stored = row;
    call.sequence = call.floor = written;
    call.first ??= written;
    highest = Math.max(highest, written);
  };
  const writeAll = async (call: NatsCall): Promise<void> => {
    // Lets the caller start or even answer the call in the same turn.
    await Promise.resolve();
    while (call.stored !== call.current) {
      const { current: row, waiters } = call;
      call.waiters = [];
      try {
        await store(call, row);
        for (const { resolve } of waiters) resolve();
      } catch (error) {
        // The caller may try again.
        if (call.current === row && call.stored !== undefined) call.current = call.stored;
        for (const { reject } of waiters) reject(error);
        if (call.current === row || call.stored === call.current) break;
      }
    }
    for (const { reject } of call.waiters.splice(0)) reject(alreadyAnswered(call.current));
    if (call.current.state !== "open") open.delete(call);
    call.writing = undefined;
  };
  const start = (call: NatsCall): void => {
    open.add(call);
    call.writing ??= writeAll(call);
  };
  const save = (call: NatsCall, row: CallRow): Promise<void> => {
    call.current = row;
    return new Promise((resolve, reject) => {
      call.waiters.push({ resolve, reject });
      start(call);
    });
  };
  const create = (subject: string, row: CallRow): NatsCall => ({
    subject,
    current: row,
    stored: undefined,
    sequence: 0,
    first: undefined,
    suspended: undefined,
    floor: highest,
    waiters: [],
    writing: undefined,
  });
  return {
    create,
    /** Writes the first row of a call, which no caller waits for. */
    start,
    /** Writes a row. Rejects if it cannot be stored, and if the call was answered. */
    save(call: NatsCall, row: CallRow, suspended = call.suspended): Promise<void> {
      call.suspended = suspended;
      return save(call, row);
    },
    /** Returns a suspended call as one of this process, once `row` is saved. */
    take({ subject, sequence }: LastValue, { owner: _, first, suspended, ...row }: StoredRow): NatsCall {
      return { ...create(subject, row), sequence, first: first ?? sequence, suspended, floor: sequence };
    },
    /** Returns the lowest sequence of an open call; undefined if none is open. */
    openFrom(): number | undefined {
      let lowest: number | undefined;
      for (const { floor } of open) lowest = Math.min(lowest ?? floor, floor);
      return lowest;
    },
    /** Resolves when every call was written once. */
    drained: async (): Promise<void> => void (await Promise.all([...open].map(({ writing }) => writing))),
    /** Settles the calls that are still open. */
    async interrupt(now: number): Promise<void> {
      const settled = [...open].map((call) => {
        const answer = JSON.stringify(interruptedAnswer(call.current, now));
        // Another process may have answered it first.
        return save(call, { ...call.current, state: "interrupted", answer }).catch(() => undefined);
      });
      await Promise.all(settled);
    },
  };
}

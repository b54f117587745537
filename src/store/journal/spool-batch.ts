import type { CallRow } from "./call-row.ts";
import type { PendingCall } from "./pending-call.ts";
import type { Spool, SpoolWrite } from "./spool.ts";

/** The most rows in one write, for which their text is in memory once more. */
const MAX_ROWS = 64;

interface Waiting extends SpoolWrite {
  readonly call: PendingCall;
  readonly resolve: (stored?: Promise<void>) => void;
}

/**
 * Creates a batch that writes the rows which are added before the next microtask to the spool together. The first call is written at once:
 * alone, it waits for nothing. A row that the spool refuses goes to `stored`.
 */
export function createSpoolBatch(spool: Spool, stored: (call: PendingCall) => Promise<void>) {
  let waiting: Waiting[] = [];
  let first: PendingCall | undefined;

  const write = (): void => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    const isWritten = spool.writeAll(rows);
    for (const { call, row, resolve } of rows) {
      if (isWritten) call.promised = row;
      resolve(isWritten ? undefined : stored(call));
    }
  };
  const end = (): void => {
    first = undefined;
    write();
  };

  return {
    /** Writes what waits, now. */
    write,
    /** Returns undefined if the row is in the spool, or a promise that resolves when the row is there or where `stored` puts it. */
    add(call: PendingCall, row: CallRow): undefined | Promise<void> {
      const { spooled } = call;
      if (spooled === undefined) return stored(call);
      if (first === undefined) queueMicrotask(end);
      first ??= call;
      if (first !== call)
        return new Promise((resolve) => {
          if (waiting.push({ call, row, spooled, resolve }) === MAX_ROWS) write();
        });
      if (!spooled.write(row)) return stored(call);
      call.promised = row;
      return undefined;
    },
  };
}

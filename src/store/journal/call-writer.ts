import { ToolError } from "../../core/errors.ts";
import { isLocked, toUnavailable } from "../database/database.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { Change, KeptCall } from "./kept-call.ts";
import { failChange, finishChange, takeChange } from "./kept-call.ts";
import type { Spool } from "./spool.ts";

/** Brings calls to the database, all that came together in one write. */
export interface CallWriter {
  /** It is written with what comes next, soon. */
  add(call: KeptCall): void;
  /** True while the spool has what the database would not take. */
  isBehind(): boolean;
  /** Somebody waits for what was added. */
  hurry(): void;
  /** Settles when all that was added has been tried. */
  drained(): Promise<void>;
  /** Tries it all a last time; rejects where the database is still behind. */
  close(): Promise<void>;
}

export interface CallWriterOptions {
  readonly spool: Spool | undefined;
  readonly writeAll: WriteAll;
}

/** Either all of them or, where it rejects, none. */
type WriteAll = (changes: readonly Change[]) => Promise<readonly (number | "refused")[]>;

/** How soon what the spool has is tried again when nothing else is written. */
const RETRY_MS = 1000;

/** What the spool has is tried until the database has it: it was told as kept. */
export function createCallWriter({ spool, writeAll }: CallWriterOptions): CallWriter {
  const behind = new Set<KeptCall>();
  let isClosed = false;
  const group = createGroupCommit<KeptCall>(async (calls) => {
    const changes = calls.map(takeChange);
    const forget = spool?.turn();
    const isWritten = await commit(changes, writeAll);
    for (const { call } of changes) {
      if (call.promised === undefined || call.queued) behind.delete(call);
      else behind.add(call);
    }
    // What could not be written, now or before, stays where the next one to open the journal finds it.
    if (isWritten && behind.size === 0) forget?.();
    if (behind.size > 0 && !isClosed) setTimeout(tryAgain, RETRY_MS).unref();
  });
  const add = (call: KeptCall): void => {
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
  return {
    add,
    isBehind: () => behind.size > 0,
    hurry() {
      tryAgain();
      group.hurry();
    },
    drained,
    async close() {
      isClosed = true;
      await drained();
      if (behind.size > 0) throw leftBehind(behind.size);
    },
  };
}

/** True where all of them are written. */
async function commit(changes: readonly Change[], writeAll: WriteAll): Promise<boolean> {
  try {
    const written = await writeAll(changes);
    for (const [index, change] of changes.entries()) finishChange(change, written[index] ?? "refused");
    return true;
  } catch (error) {
    // One call that cannot be kept must not take the others of its group with it; a lock concerns them all.
    if (changes.length > 1 && !isLocked(error)) {
      const each: boolean[] = [];
      for (const change of changes) each.push(await commit([change], writeAll));
      return each.every(Boolean);
    }
    for (const change of changes) failChange(change, toUnavailable(error, "The journal cannot be written"));
    return false;
  }
}

function leftBehind(count: number): ToolError {
  return new ToolError("UNAVAILABLE", `The journal cannot be closed: ${count} calls could not be written.`, {
    hint: "They lie in the spool of the store; whoever opens it next takes them up.",
  });
}

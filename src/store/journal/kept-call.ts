import type { ToolError } from "../../core/errors.ts";
import type { CallRow } from "./call-row.ts";
import { alreadyAnswered } from "./call-row.ts";
import type { SpooledCall } from "./spool.ts";

/** A call of this process: its row as it shall be, and as the database has it. */
export interface KeptCall {
  /** Counts the calls of this journal. */
  readonly number: number;
  /** The row's number, once it is in the database. */
  id: number | undefined;
  wanted: CallRow;
  kept: CallRow;
  /** What the spool has and the database has not yet: it was told as kept, so the database shall have it. */
  promised: CallRow | undefined;
  /** Its place in the spool, where there is one. */
  readonly spooled: SpooledCall | undefined;
  /** True while it waits for the next commit; all that happens until then is one write. */
  queued: boolean;
  waiters: Waiter[];
}

interface Waiter {
  resolve(): void;
  reject(error: ToolError): void;
}

/** What one commit shall write of a call. */
export interface Change {
  readonly call: KeptCall;
  readonly row: CallRow;
  readonly promised: CallRow | undefined;
  readonly waiters: readonly Waiter[];
}

export function createKeptCall(number: number, row: CallRow, spooled: SpooledCall | undefined): KeptCall {
  const nothing = { id: undefined, promised: undefined, queued: false, waiters: [] };
  return { ...nothing, number, wanted: row, kept: row, spooled };
}

export function takeChange(call: KeptCall): Change {
  const { wanted: row, promised, waiters } = call;
  call.queued = false;
  call.promised = undefined;
  call.waiters = [];
  return { call, row, promised, waiters };
}

/** The commit is done: with the row's number, or with the word that the database already had the call's answer. */
export function finishChange({ call, row, waiters }: Change, written: number | "refused"): void {
  if (written === "refused") {
    call.kept = { ...row, state: "answered" };
    call.wanted = call.kept;
    for (const waiter of waiters) waiter.reject(alreadyAnswered(row));
    return;
  }
  call.id = written;
  call.kept = row;
  for (const waiter of waiters) waiter.resolve();
}

/** Nothing was written: the call is what it was, so that whoever waited may try again; what was promised stays so. */
export function failChange({ call, row, promised, waiters }: Change, error: ToolError): void {
  call.promised ??= promised;
  if (call.wanted === row) call.wanted = call.promised ?? call.kept;
  for (const waiter of waiters) waiter.reject(error);
}

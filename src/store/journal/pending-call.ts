import type { ToolError } from "../../core/errors.ts";
import { isTemporary } from "../database/database.ts";
import { alreadyAnswered, type CallRow } from "./call-row.ts";
import type { SpooledCall } from "./spool.ts";

/** A call of this process: its current row, and the row in the database. */
export interface PendingCall {
  /** Its number among the calls of this journal. */
  readonly number: number;
  /** The id of its row, once it is in the database. */
  id: number | undefined;
  current: CallRow;
  stored: CallRow;
  /** The row in the spool that the database does not have yet; the caller was told that it is stored. */
  promised: CallRow | undefined;
  /** The answer that neither the spool nor the database took; its caller knows, and it is tried again. */
  refused: CallRow | undefined;
  /** Its entry in the spool, if there is one. */
  readonly spooled: SpooledCall | undefined;
  /** True while it waits for the next commit; all changes until then are one write. */
  queued: boolean;
  waiters: Waiter[];
}

interface Waiter {
  resolve(): void;
  reject(error: ToolError): void;
}

/** The change of a call that one commit writes. */
export interface Change {
  readonly call: PendingCall;
  readonly row: CallRow;
  readonly promised: CallRow | undefined;
  readonly waiters: readonly Waiter[];
}

export function createPendingCall(
  number: number,
  row: CallRow,
  spooled: SpooledCall | undefined,
): PendingCall {
  return {
    number,
    id: undefined,
    current: row,
    stored: row,
    promised: undefined,
    refused: undefined,
    spooled,
    queued: false,
    waiters: [],
  };
}

export function takeChange(call: PendingCall): Change {
  const { current: row, promised, waiters } = call;
  call.queued = false;
  call.promised = undefined;
  call.waiters = [];
  return { call, row, promised, waiters };
}

/** Settles a committed change, with the id of its row, or "refused" if the database already had an answer. */
export function finishChange({ call, row, waiters }: Change, result: number | "refused"): void {
  if (result === "refused") {
    call.stored = { ...row, state: "answered" };
    call.current = call.stored;
    for (const waiter of waiters) waiter.reject(alreadyAnswered(row));
    return;
  }
  call.id = result;
  call.stored = row;
  // An earlier row may have been written while the answer still waits to be tried again.
  if (call.refused === row) call.refused = undefined;
  for (const waiter of waiters) waiter.resolve();
}

/**
 * Settles a failed change: the call returns to its earlier row, so that the caller may try again; a promised row stays promised, and
 * an answer is tried again, at once in the spool, which may have space by now.
 */
export function failChange({ call, row, promised, waiters }: Change, error: ToolError): void {
  call.promised ??= promised;
  const isAnswer = row.state === "answered" && call.promised?.state !== "answered";
  if (isAnswer && isTemporary(error.cause)) {
    if (call.spooled?.write(row) === true) call.promised = row;
    else call.refused = row;
  }
  if (call.current === row) call.current = call.promised ?? call.stored;
  for (const waiter of waiters) {
    if (call.promised === row) waiter.resolve();
    else waiter.reject(error);
  }
}

/** Returns true while the database lacks a row of the call that it must get. */
export function isBehind({ promised, refused, queued }: PendingCall): boolean {
  return (promised !== undefined || refused !== undefined) && !queued;
}

/** Makes a refused answer the current row again, unless the caller has given another one; the spool may take it by now. */
export function reviveAnswer(call: PendingCall): void {
  const { refused, spooled } = call;
  if (refused === undefined || call.current.state !== "open") return;
  call.current = refused;
  if (spooled?.write(refused) !== true) return;
  call.promised = refused;
  call.refused = undefined;
}

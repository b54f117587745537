import { randomUUID } from "node:crypto";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ClaimedCall, Journal, JournalEntry, JournalQuery } from "../../core/store/journal.ts";
import { checkQuery, isWanted, journalClosed, toRecord, toRow, type PlacedRow } from "../journal/call-row.ts";
import { createEntry } from "../journal/journal-entry.ts";
import {
  createCallWriter,
  type CallWriter,
  type NatsCall,
  type StoredRow,
  type Suspended,
} from "./call-writer.ts";
import { openLastValues, type LastValue, type LastValues } from "./last-values.ts";
import type { Nats } from "./nats.ts";
import { registerOwner, type Owners } from "./owners.ts";
import { toToken } from "./subjects.ts";
import { defined } from "../../util/json/defined.ts";
import { type SettledCalls, settleEnded, toStored } from "./settle-ended.ts";

export interface NatsJournalOptions {
  /** How long calls are stored after their last change; default: forever. */
  readonly maxAgeMs?: number;
  /** How long a process may be silent before its calls are settled; default: 20 s. */
  readonly leaseMs?: number;
}

/** A journal that also knows which processes run. */
export type NatsJournal = Journal &
  Pick<Owners, "isAlive"> &
  Pick<LastValues, "deleteUnusedTexts"> & {
    /** Returns the settled calls among the next stored ones, and the sequence after all of these. */
    settledFrom(sequence: number, limit: number): Promise<SettledCalls>;
  };

/** How often calls of ended processes are looked for, in leases. */
const SWEEP_LEASES = 3;

/**
 * Opens the journal of a namespace, which processes on any machine may share. Opening it settles the open calls of ended processes, as it does
 * later at times; closing it settles its own. Every change of a call is stored by the servers when it resolves, and refused if
 * another process has answered the call.
 */
export async function openNatsJournal(
  nats: Nats,
  { maxAgeMs, leaseMs = 20_000 }: NatsJournalOptions = {},
): Promise<NatsJournal> {
  const root = `${nats.names.root}.journal`;
  const values = await openLastValues(nats, {
    stream: `${nats.names.store}-journal`,
    subjects: [`${root}.>`],
    ...defined({ maxAgeMs }),
  });
  const rows = `${root}.call`;
  let renewals = 0;
  const opened: { writer?: CallWriter } = {};
  const owners = await registerOwner({
    values,
    root: `${root}.owner`,
    leaseMs,
    openFrom: () => opened.writer?.openFrom(),
    onRenewed() {
      renewals += 1;
      if (renewals % (SWEEP_LEASES * 4) === 0) settleEnded(values, rows, owners).catch(() => undefined);
    },
  });
  const writer = createCallWriter(values, owners);
  opened.writer = writer;
  await settleEnded(values, rows, owners);
  return createJournal({ values, rows, owners, writer });
}

interface Parts {
  readonly values: LastValues;
  /** The beginning of the subjects of calls. */
  readonly rows: string;
  readonly owners: Owners;
  readonly writer: CallWriter;
}

function createJournal({ values, rows, owners, writer }: Parts): NatsJournal {
  let received = 0;
  let closing: Promise<void> | undefined;
  const ifOpen = (): void => {
    if (closing !== undefined) throw journalClosed();
  };
  const suspend = async (call: NatsCall, details: JsonObject): Promise<string> => {
    const suspended: Suspended = { secret: randomUUID(), details };
    await writer.save(call, { ...call.current, state: "pending" }, suspended);
    return `${call.subject.split(".").slice(-2).join("-")}-${suspended.secret}`;
  };
  const entryOf = (call: NatsCall): JournalEntry =>
    createEntry(
      () => {
        ifOpen();
        return call.current;
      },
      (row) => writer.save(call, row),
      (_row, details) => suspend(call, details),
    );
  const close = async (): Promise<void> => {
    owners.close();
    await writer.drained();
    await writer.interrupt(Date.now());
    // An open row may arrive later: without its owner no other process would settle it.
    if (!writer.hasFailed()) await owners.remove(owners.own);
  };
  return {
    isAlive: (process) => owners.isAlive(process),
    deleteUnusedTexts: (before) => values.deleteUnusedTexts(before),
    async settledFrom(from, limit) {
      const page = await values.page(`${rows}.>`, { from, limit });
      // The last value of an open call has a later sequence once it is settled.
      const settled = page.values.map(toPlaced).filter(({ row }) => row.answer !== null);
      const next = (page.lastSequence ?? from - 1) + 1;
      return { records: settled.map(toRecord), next, isEnd: page.read < limit };
    },
    receive(one) {
      received += 1;
      const { callId, session } = one;
      const tokens = [session ?? "", callId].map((text) => toToken(text.toWellFormed()));
      const call = writer.create([rows, ...tokens, owners.own, received].join("."), toRow(one));
      if (closing === undefined) writer.start(call);
      return entryOf(call);
    },
    async claim(token) {
      ifOpen();
      return claimCall({ values, rows, owners, writer }, token, entryOf);
    },
    async list(query = {}) {
      ifOpen();
      checkQuery(query);
      await writer.drained();
      const from = query.state === "open" ? await owners.openFrom() : undefined;
      return (await listRows(values, rows, query, from)).map(toRecord);
    },
    close: () => (closing ??= close()),
  };
}

async function claimCall(
  parts: Parts,
  token: string,
  entryOf: (call: NatsCall) => JournalEntry,
): Promise<ClaimedCall | undefined> {
  const { values, rows, writer } = parts;
  const [, owner, number, secret] = TOKEN.exec(token) ?? [];
  if (owner === undefined) return undefined;
  const [ownRow] = await values.list(`${rows}.*.*.${owner}.${number}`);
  if (ownRow === undefined) return undefined;
  const { id, row } = toPlaced(ownRow);
  if (row.suspended === undefined || row.suspended.secret !== secret) return undefined;
  const { details } = row.suspended;
  if (row.state !== "pending") return { record: toRecord({ id, row }), details, entry: undefined };
  const call = writer.take(ownRow, row);
  // Another process may claim it at the same time.
  if (!(await writer.save(call, call.current).then(() => true, isRefused)))
    return claimCall(parts, token, entryOf);
  return { record: toRecord({ id, row: call.current }), details, entry: entryOf(call) };
}

const TOKEN = /^([0-9a-f]{16})-(\d{1,15})-([0-9a-f-]{36})$/;

function isRefused(error: unknown): boolean {
  if (error instanceof ToolError && error.code === "INVALID_OUTPUT") return false;
  throw error;
}

/** Calls are placed by the sequence of their first row. */
function toPlaced(value: LastValue): PlacedRow & { readonly row: StoredRow } {
  const row = toStored(value);
  return { id: row.first ?? value.sequence, row };
}

/** How many rows are read from the end at first, for a query with a limit. */
const FIRST_ROWS = 200;

/** Lists calls in the order in which the servers first stored them, newest first. `openFrom`: no wanted row has a lower sequence. */
async function listRows(
  values: LastValues,
  rows: string,
  query: JournalQuery,
  openFrom?: number,
): Promise<readonly PlacedRow[]> {
  const { session, callId, limit, after = 0 } = query;
  if (limit !== undefined && limit <= 0) return [];
  const tokens = [session, callId].map((text) => (text === undefined ? "*" : toToken(text.toWellFormed())));
  const filter = [rows, ...tokens, "*", "*"].join(".");
  const sorted = (found: readonly PlacedRow[]): readonly PlacedRow[] =>
    found.toSorted((left, right) => right.id - left.id).slice(0, limit);
  if (openFrom !== undefined)
    return sorted(
      (await values.list(filter, { from: openFrom })).map(toPlaced).filter((one) => isWanted(one, query)),
    );
  const last = limit === undefined ? 0 : await values.lastSequence();
  // A row after this position was also stored after it.
  const lowest = Math.max(1, after + 1);
  for (let count = FIRST_ROWS; ; count *= 8) {
    const from = limit === undefined ? lowest : Math.max(lowest, last - count + 1);
    const placedRows = (await values.list(filter, { from })).map(toPlaced);
    // A row before `from` was also first stored before it.
    const sure = placedRows.filter((one) => one.id >= from && isWanted(one, query));
    if (from === lowest || (limit !== undefined && sure.length >= limit)) return sorted(sure);
  }
}

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { interruptedRow } from "./interrupted-answer.ts";
import type { CallRecord, CallUsage, JournalQuery } from "../../core/store/journal.ts";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import { isWanted, type CallRow, type PlacedRow } from "./call-row.ts";
import type { CallKey, Owner, SpooledRow } from "./spool.ts";
import { inSnapshot } from "../database/transaction.ts";
import { parseJson } from "../../util/json/parse-json.ts";

export type CallTable = ReturnType<typeof createCallTable>;

/** Prepares the statements for owners and calls. Its writes open no transaction. */
export function createCallTable(database: DatabaseSync) {
  const addOwner = database.prepare("INSERT INTO owners (pid, start, boot) VALUES (?, ?, ?)");
  const insert = database.prepare(
    `INSERT INTO calls (call_id, name, input, session, folder, subject, machine, usage, received_at, started_at, effects, state, answer, outcome, owner,
       number)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (owner, number) DO NOTHING`,
  );
  const update = database.prepare(
    "UPDATE calls SET started_at = ?, effects = ?, state = ?, answer = ?, outcome = ? WHERE id = ? AND state = 'open'",
  );
  const owners = database.prepare("SELECT id, pid, start, boot FROM owners");
  const ownerById = database.prepare("SELECT id FROM owners WHERE id = ?");
  const removeOwner = database.prepare("DELETE FROM owners WHERE id = ?");
  const orphans = database.prepare(
    `SELECT ${COLUMNS} FROM calls WHERE state = 'open' AND owner <> 0 AND owner NOT IN (SELECT id FROM owners)`,
  );
  const byKey = database.prepare("SELECT id, state FROM calls WHERE owner = ? AND number = ?");
  const find: Find = ({ owner, number }) => byKey.get(owner, number) as ReturnType<Find>;
  const table = {
    /** Registers an owner of calls and returns its id. */
    addOwner: ({ pid, start, boot }: ProcessIdentity): number =>
      Number(addOwner.run(pid, start, boot).lastInsertRowid),

    owners: (): readonly Owner[] => owners.all() as unknown as Owner[],

    /** Returns false for an owner whose calls are all settled. */
    hasOwner: (id: number): boolean => ownerById.get(id) !== undefined,

    /** Inserts a call, or updates the row that it already has. Returns the row's id, or "refused" if the row has an answer. */
    put(row: CallRow, key: CallKey): number | "refused" {
      const { changes, lastInsertRowid } = insertRow(insert, row, key);
      if (changes === 1) return Number(lastInsertRowid);
      const storedRow = find(key);
      return storedRow !== undefined && table.update(storedRow.id, row) ? storedRow.id : "refused";
    },

    /** Returns false if the call already has an answer. */
    update: (id: number, { startedAt, effects, state, answer, outcome }: CallRow): boolean =>
      update.run(startedAt, effects, state, answer, outcome, id).changes === 1,

    /** Lists the calls of the database and of `spooled` as one journal, newest first. Read the spools first, then call this. */
    list: (query: JournalQuery, spooled: readonly SpooledRow[]): readonly PlacedRow[] =>
      inSnapshot(database, () => list(database, query, newerRows(spooled, find))),

    /** Inserts the spooled calls of each owner that `isGone`, settles its open calls, then removes that owner. */
    interrupt(
      isGone: (owner: Owner) => boolean,
      now: number,
      spooledBy: (owner: Owner) => readonly SpooledRow[] = () => [],
    ): void {
      for (const owner of table.owners().filter(isGone)) {
        for (const spooled of spooledBy(owner)) table.put(spooled.row, spooled);
        removeOwner.run(owner.id);
      }
      for (const { id, row } of readAll(orphans)) table.update(id, interruptedRow(row, now));
    },
  };
  return table;
}

function insertRow(insert: StatementSync, row: CallRow, { owner, number }: CallKey) {
  const { callId, name, input, session, folder, subject, machine, usage, receivedAt } = row;
  const { startedAt, effects, state, answer, outcome } = row;
  return insert.run(
    callId,
    name,
    input,
    session,
    folder,
    subject,
    machine,
    usage === null ? null : JSON.stringify(usage),
    receivedAt,
    startedAt,
    effects,
    state,
    answer,
    outcome,
    owner,
    number,
  );
}

type Find = (key: CallKey) => { readonly id: number; readonly state: CallRecord["state"] } | undefined;

/** Returns the rows that the database lacks, newest first. A call that is not in it sorts after all that are: it will be inserted there. */
function newerRows(spooled: readonly SpooledRow[], find: Find): readonly PlacedRow[] {
  const newestFirst = spooled
    .toReversed()
    .toSorted((left, right) => right.row.receivedAt - left.row.receivedAt);
  return newestFirst.flatMap((one) => {
    const { id, state } = find(one) ?? { id: Number.MAX_SAFE_INTEGER, state: "open" };
    return state === "open" ? [{ id, row: one.row }] : [];
  });
}

function list(
  database: DatabaseSync,
  query: JournalQuery,
  newer: readonly PlacedRow[],
): readonly PlacedRow[] {
  const replaced = new Set(newer.map(({ id }) => id));
  // As many more as may be replaced: the limit holds for the result.
  const limit = query.limit === undefined ? undefined : query.limit + replaced.size;
  const stored = select(database, query, limit).filter(({ id }) => !replaced.has(id));
  return [...newer.filter((one) => isWanted(one, query)), ...stored]
    .toSorted((left, right) => right.id - left.id)
    .slice(0, query.limit);
}

const STATE = "CASE owner WHEN 0 THEN 'pending' ELSE state END";
/** Selects rows under the names of `CallRow`. */
export const COLUMNS =
  "id, call_id AS callId, name, input, session, folder, subject, machine, usage, received_at AS receivedAt, started_at AS startedAt, effects, answer, outcome, " +
  `${STATE} AS state`;

type StoredRow = Omit<CallRow, "usage"> & { readonly id: number; readonly usage: string | null };

export function readAll(
  statement: StatementSync,
  ...values: readonly (string | number)[]
): readonly PlacedRow[] {
  const rows = statement.all(...values) as unknown as readonly StoredRow[];
  return rows.map(({ id, usage, ...row }) => ({
    id,
    row: { ...row, usage: usage === null ? null : ((parseJson(usage) ?? null) as CallUsage | null) },
  }));
}

function select(
  database: DatabaseSync,
  query: JournalQuery,
  limit: number | undefined,
): readonly PlacedRow[] {
  const { callId, receivedAt, session, folder, name, parent, state, outcome, before, after } = query;
  // SQLite uses no index for a column with a plus; without it, it would prefer one that finds more rows.
  const isIndexed = [callId, parent].some((one) => one !== undefined);
  const isRare =
    isIndexed || session !== undefined || (state ?? "answered") !== "answered" || (outcome ?? "ok") !== "ok";
  const id = isIndexed || state === "open" || state === "pending" ? "+id" : "id";
  const filters = [
    ["call_id = ?", callId],
    ["received_at = ?", receivedAt],
    ["session = ?", session],
    [isRare ? "+name = ?" : "name = ?", name],
    [isRare || name !== undefined ? "+folder = ?" : "folder = ?", folder],
    [`${id} < ?`, before],
    [`${id} > ?`, after],
    ...subjectFilters(query),
  ] as const;
  const usedFilters = filters.filter(([, value]) => value !== undefined);
  const conditions = [
    ...(query.state === undefined ? [] : [IN_STATE[query.state]]),
    ...outcomeConditions(outcome),
    ...usedFilters.map(([one]) => one),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const statement = database.prepare(`SELECT ${COLUMNS} FROM calls ${where} ORDER BY ${id} DESC LIMIT ?`);
  // SQLite treats a negative limit as none.
  return readAll(statement, ...usedFilters.flatMap(([, value]) => value ?? []), limit ?? -1);
}

/** Written so that the indexes of open and of failed calls are used. */
const IN_STATE: Readonly<Record<CallRecord["state"], string>> = {
  open: "state = 'open' AND owner <> 0",
  pending: "state = 'open' AND owner = 0",
  answered: "state = 'answered'",
  interrupted: "state = 'interrupted' AND outcome <> 'ok'",
};

/** Returns the condition of an outcome that is not one code. */
function outcomeConditions(outcome: string | undefined): readonly string[] {
  if (outcome === "failed") return ["outcome <> 'ok'"];
  return outcome === "failed_not_denied" ? ["outcome <> 'ok' AND outcome <> 'DENIED'"] : [];
}

type Filter = readonly [condition: string, value: string | number | undefined];

/** Returns the conditions on what a call is about. */
function subjectFilters({
  callId,
  session,
  subject,
  parent,
  outcome,
  text,
}: JournalQuery): readonly Filter[] {
  const isFoundOtherwise = [callId, session, parent].some((one) => one !== undefined);
  return [
    [isFoundOtherwise ? "+subject = ?" : "subject = ?", subject],
    ["call_id GLOB ?", parent === undefined ? undefined : `${escapeGlob(parent)}.*`],
    ["instr(substr(call_id, ?), '.') = 0", parent === undefined ? undefined : parent.length + 2],
    ["outcome = ?", outcome === "ok" ? outcome : undefined],
    [
      "outcome <> 'ok' AND outcome = ?",
      outcome === "ok" || outcomeConditions(outcome).length > 0 ? undefined : outcome,
    ],
    ["instr(lower(name || input || coalesce(answer, '')), ?) > 0", text?.toLowerCase()],
  ];
}

/** Returns a pattern that matches exactly this text. */
function escapeGlob(text: string): string {
  return text.replaceAll(/[*?[]/g, "[$&]");
}

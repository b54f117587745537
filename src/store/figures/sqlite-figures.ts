import { parseJson } from "../../util/json/parse-json.ts";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { ApprovalTrace, CallUsage, StageTime } from "../../core/store/journal.ts";
import { toUnavailable, whenUnlocked } from "../database/database.ts";
import { inTransaction } from "../database/transaction.ts";
import {
  UNITS,
  unitOf,
  type CountedCalls,
  type FigureCell,
  type Figures,
  type UsageCell,
} from "./figures.ts";
import { createCallCounts, type CountedCall } from "./call-counts.ts";
import { countWithin } from "./count-within.ts";

/** Calls of one transaction: other processes wait for it. */
const STEP = 1000;

/**
 * Creates the figures of a database that other processes may share. They are computed from the calls when they are first needed: no
 * migration has their tables, which can be deleted while no process has the database open. `stored` resolves when the calls of this process are in the database.
 */
export function createSqliteFigures(
  database: DatabaseSync,
  stored: () => Promise<unknown>,
): Figures & { close(): Promise<void> } {
  const closed = new AbortController();
  let prepared: ReturnType<typeof prepare> | undefined;
  const open = async (): Promise<ReturnType<typeof prepare>> =>
    (prepared ??= await whenUnlocked(() => {
      database.exec(TABLES);
      return prepare(database);
    }));
  const countAll = async (): Promise<void> => {
    const opened = await open();
    const countSome = (): boolean => opened.countSome();
    while (!closed.signal.aborted && (await whenUnlocked(() => inTransaction(database, countSome))))
      await turn();
  };
  const counting = countWithin(countAll);
  return {
    async count({ since, until, bucketMs }) {
      try {
        await stored();
        const isPartial = await counting.isPartial();
        return { ...(await open()).read(unitOf(bucketMs), { since, until, bucketMs }), isPartial };
      } catch (error) {
        throw toUnavailable(error, "the calls cannot be counted");
      }
    },
    async close() {
      closed.abort();
      await counting.ended();
    },
  };
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS figures (
    unit INTEGER NOT NULL, at INTEGER NOT NULL, name TEXT NOT NULL, outcome TEXT NOT NULL, ran INTEGER NOT NULL, waited INTEGER NOT NULL,
    calls INTEGER NOT NULL, PRIMARY KEY (unit, at, name, outcome, ran, waited)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS figures_usage (
    unit INTEGER NOT NULL, at INTEGER NOT NULL, name TEXT NOT NULL, model TEXT NOT NULL, calls INTEGER NOT NULL, input_tokens REAL NOT NULL,
    output_tokens REAL NOT NULL, cost REAL NOT NULL, PRIMARY KEY (unit, at, name, model)
  ) STRICT, WITHOUT ROWID;
  -- Calls up to this one were counted, but for those that were open then.
  CREATE TABLE IF NOT EXISTS figures_state (one INTEGER PRIMARY KEY CHECK (one = 1), counted INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS figures_open (id INTEGER PRIMARY KEY) STRICT;
  INSERT OR IGNORE INTO figures_state VALUES (1, 0);`;

const COUNTED = `calls.id, state, name, outcome, received_at AS receivedAt, started_at AS startedAt, usage,
  iif(json_valid(answer), json_extract(answer, '$.meta.durationMs', '$.trace.approval', '$.trace.stages'), NULL) AS times`;

interface Row {
  readonly id: number;
  readonly state: string;
  readonly name: string;
  readonly outcome: string | null;
  readonly receivedAt: number;
  readonly startedAt: number | null;
  readonly usage: string | null;
  readonly times: string | null;
}

function prepare(database: DatabaseSync) {
  const counted = database.prepare("SELECT counted FROM figures_state");
  const setCounted = database.prepare("UPDATE figures_state SET counted = ?");
  const next = database.prepare(`SELECT ${COUNTED} FROM calls WHERE id > ? ORDER BY id LIMIT ${STEP}`);
  // CROSS: otherwise SQLite reads every call to find the few that were open.
  const answered = database.prepare(
    `SELECT ${COUNTED} FROM figures_open CROSS JOIN calls ON calls.id = figures_open.id WHERE state <> 'open' LIMIT ${STEP}`,
  );
  const addOpen = database.prepare("INSERT OR IGNORE INTO figures_open VALUES (?)");
  const removeOpen = database.prepare("DELETE FROM figures_open WHERE id = ?");
  const add = database.prepare(
    `INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`,
  );
  const addUsage = database.prepare(
    `INSERT INTO figures_usage VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
       output_tokens = output_tokens + excluded.output_tokens, cost = cost + excluded.cost`,
  );
  return {
    read: createRead(database),
    /** Counts some calls in the transaction of its caller. Returns false if all were counted. */
    countSome(): boolean {
      const from = Number(counted.get()?.["counted"]);
      const ended = answered.all() as unknown as readonly Row[];
      const rows = next.all(from) as unknown as readonly Row[];
      const counts = createCallCounts(UNITS);
      for (const row of ended) removeOpen.run(row.id);
      for (const row of [...ended, ...rows]) {
        if (row.state === "open") addOpen.run(row.id);
        else counts.add(toCounted(row));
      }
      for (const { unit, at, name, outcome, ran, waited, calls } of counts.cells())
        add.run(unit, at, name, outcome, ran, waited, calls);
      for (const { unit, at, name, model, calls, inputTokens, outputTokens, cost } of counts.usages())
        addUsage.run(unit, at, name, model, calls, inputTokens, outputTokens, cost);
      const last = rows.at(-1);
      if (last !== undefined) setCounted.run(last.id);
      return rows.length === STEP || ended.length === STEP;
    },
  };
}

function toCounted({ name, outcome, receivedAt, startedAt, usage, times }: Row): CountedCall {
  const [durationMs, approval, stages] = JSON.parse(times ?? "[null, null, null]") as [
    number | null,
    ApprovalTrace | null,
    readonly StageTime[] | null,
  ];
  return {
    name,
    outcome: outcome ?? "ok",
    receivedAt,
    startedAt,
    durationMs,
    approval: approval ?? undefined,
    stages: stages ?? undefined,
    usage: usage === null ? null : ((parseJson(usage) ?? null) as CallUsage | null),
  };
}

type Read = (
  unit: number,
  query: { readonly since: number; readonly until: number; readonly bucketMs: number },
) => Omit<CountedCalls, "isPartial">;

function createRead(database: DatabaseSync): Read {
  const cells = database.prepare(
    `SELECT at / CAST(?1 AS INTEGER) * CAST(?1 AS INTEGER) AS at, name, outcome, ran, waited, sum(calls) AS calls FROM figures
     WHERE unit = ?2 AND at >= ?3 AND at < ?4 GROUP BY 1, 2, 3, 4, 5`,
  );
  const usage = database.prepare(
    `SELECT at / CAST(?1 AS INTEGER) * CAST(?1 AS INTEGER) AS at, name, model, sum(calls) AS calls, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens,
       sum(cost) AS cost
     FROM figures_usage WHERE unit = ?2 AND at >= ?3 AND at < ?4 GROUP BY 1, 2, 3`,
  );
  const first = database.prepare("SELECT min(at) AS at FROM figures WHERE unit = ?");
  return (unit, { since, until, bucketMs }) => {
    const all = (statement: StatementSync): unknown => statement.all(bucketMs, unit, since, until);
    const oldest = first.get(UNITS[0] ?? unit)?.["at"];
    return {
      cells: all(cells) as readonly FigureCell[],
      usage: all(usage) as readonly UsageCell[],
      countedSince: typeof oldest === "number" ? oldest : null,
    };
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { median, type Row } from "./measure.ts";
import { startPrinting } from "./start-printing.ts";

const LOAD_MS = 10_000;
/** The most that the slowest call in a hundred may take, as a multiple of the usual one, by the number of clients. */
const MOST_BY_CLIENTS: Readonly<Record<string, number>> = { 8: 10, 200: 3 };
const CALLS = 1_000_000;
const PAGES = 11;
const MOST_MS = 300;
const FIRST_AT = 1_700_000_000_000;
const RANGES_HOURS = [1, 6, 24, 168, 720, 8760];

/** Filters of the calls page: none, those with an index, two at once, and a text that no call has. */
const FILTERS = [
  "",
  "&all=true",
  "&outcome=failed",
  "&outcome=CANCELLED",
  "&name=seldom",
  "&name=shell&outcome=TOOL_TIMEOUT",
  "&state=open",
  "&session=session-77",
  "&before=500000&outcome=failed",
  "&text=file-999",
  "&text=no+call+has+this",
];

/** Measures calls through the HTTP API under load, and pages of the list of calls in a journal of a million. */
export async function benchServe(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TOOLWRIGHT_HOME: home };
  const args = [resolve("bin/toolwright.js"), "serve", "--port", "0"];
  const served = await startPrinting({ command: process.execPath, args, env });
  try {
    const send = createSend(new URL(served.line));
    const rows: Row[] = [];
    for (const [clients, most] of Object.entries(MOST_BY_CLIENTS))
      rows.push(await measureLoad(send, Number(clients), most));
    rows.push(await measurePages(send, join(home, "state", "toolwright.db")), await measureCounts(send));
    return rows;
  } finally {
    await served.close();
    rmSync(home, { recursive: true, force: true });
  }
}

type Send = (path: string, body?: object) => Promise<unknown>;

function createSend(address: URL): Send {
  const headers = { authorization: `Bearer ${address.searchParams.get("token")}` };
  return async (path, body) => {
    const post = { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(new URL(path, address), {
      headers: { ...headers, "content-type": "application/json" },
      ...(body !== undefined && post),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
}

/** Several clients send one call after the other. */
async function measureLoad(send: Send, clients: number, most: number): Promise<Row> {
  const call = { name: "read_file", input: { path: "package.json", limit: 5 } };
  const times: number[] = [];
  const client = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await send("/api/calls", call);
      times.push(performance.now() - startedAt);
    }
  };
  const load = async (ms: number): Promise<void> => {
    const until = performance.now() + ms;
    await Promise.all(Array.from({ length: clients }, () => client(until)));
  };
  await load(LOAD_MS / 5);
  times.length = 0;
  await load(LOAD_MS);
  times.sort((left, right) => left - right);
  const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)] ?? Number.NaN);
  const ratio = (p99 ?? Number.NaN) / (p50 ?? Number.NaN);
  return {
    what: `POST /api/calls, ${clients} clients, ${Math.round(times.length / (LOAD_MS / 1000))} calls/s, p99 over p50`,
    figure: `${p99?.toFixed(1)} ms`,
    against: `${p50?.toFixed(1)} ms`,
    ratio,
    target: `${most}x`,
    isReached: ratio <= most,
  };
}

/** Returns the slowest kind of page. */
async function measurePages(send: Send, database: string): Promise<Row> {
  const { workspace } = (await send("/api/state")) as { readonly workspace: readonly string[] };
  fill(database, workspace[0] ?? "");
  // The server has closed idle connections meanwhile; the client has yet to see that.
  await wait(100);
  const pages: { readonly filter: string; readonly ms: number }[] = [];
  for (const filter of FILTERS) {
    const times: number[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const startedAt = performance.now();
      await send(`/api/calls?limit=200${filter}`);
      times.push(performance.now() - startedAt);
    }
    pages.push({ filter, ms: median(times) });
  }
  const [slowest = { filter: "", ms: Number.NaN }] = pages.toSorted((left, right) => right.ms - left.ms);
  return {
    what: `a page of 1 000 000 calls, the slowest of ${FILTERS.length} filters: ${slowest.filter || "none"}`,
    figure: `${slowest.ms.toFixed(0)} ms`,
    against: `${pages[0]?.ms.toFixed(0)} ms without filters`,
    target: `${MOST_MS} ms`,
    isReached: slowest.ms < MOST_MS,
  };
}

/** Returns the slowest range of the charts over the calls that `measurePages` has added. */
async function measureCounts(send: Send): Promise<Row> {
  const startedAt = performance.now();
  const until = FIRST_AT + CALLS * 100;
  const count = async (hours: number): Promise<{ readonly isPartial: boolean }> =>
    (await send(`/api/counts?since=${until - hours * 3_600_000}&until=${until}`)) as never;
  while ((await count(1)).isPartial) await wait(100);
  const countedS = (performance.now() - startedAt) / 1000;
  const times: number[] = [];
  for (const hours of RANGES_HOURS) {
    const rounds: number[] = [];
    for (let round = 0; round < PAGES; round += 1) {
      const from = performance.now();
      await count(hours);
      rounds.push(performance.now() - from);
    }
    times.push(median(rounds));
  }
  const slowest = Math.max(...times);
  return {
    what: `counts of 1 000 000 calls, the slowest of ${RANGES_HOURS.length} ranges; counted once in ${countedS.toFixed(1)} s`,
    figure: `${slowest.toFixed(0)} ms`,
    against: `${Math.min(...times).toFixed(0)} ms, the fastest`,
    target: `${MOST_MS} ms`,
    isReached: slowest < MOST_MS,
  };
}

/** Adds the calls to the journal in one statement. Every 50th failed, and every tenth is of another folder. */
function fill(file: string, folder: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA busy_timeout = 60000");
  database
    .prepare(
      `INSERT INTO calls (call_id, name, input, session, folder, received_at, started_at, effects, state, answer, outcome, owner, number)
       WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?),
         made AS (SELECT n, printf('call-%08d', n) AS id, CASE WHEN n % 100000 = 7 THEN 'seldom' WHEN n % 3 = 0 THEN 'shell' ELSE 'read_file' END AS tool,
           CASE WHEN n % 5000 = 0 THEN 'TOOL_TIMEOUT' WHEN n % 50 = 0 THEN 'DENIED' ELSE 'ok' END AS outcome FROM counted)
       SELECT id, tool, printf('{"path":"src/file-%d.ts"}', n), printf('session-%d', n % 5000),
         CASE WHEN n % 10 = 3 THEN '/elsewhere' ELSE ?2 END, 1700000000000 + n * 100, 1700000000000 + n * 100, 'none', 'answered',
         printf('{"callId":"%s","name":"%s","ok":%s,"content":[{"type":"text","text":"%s"}],"meta":{"startedAt":%d,"durationMs":%d,"place":"host","attempts":1,"source":"built-in"}%s}',
           id, tool, iif(outcome = 'ok', 'true', 'false'), replace(printf('%.20c', 'x'), 'x', 'a line of output '), 1700000000000 + n * 100, n % 97,
           iif(outcome = 'ok', '', printf(',"error":{"code":"%s","message":"no"}', outcome))),
         outcome, 999999, n FROM made`,
    )
    .run(CALLS, folder);
  database.close();
}

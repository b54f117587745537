// A fleet on this machine: three servers, four workers and a load. Kills a worker and a server, and counts the answers.
// npm run fleet:demo [-- --seconds N]
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openFleetEngine, hasTool, type FleetEngine } from "../test/support/fleet/fleet.ts";
import { readLedger, startWorkerProcess, type WorkerProcess } from "../test/support/fleet/fleet-processes.ts";
import { lastFirst, startNatsCluster, type Cleanup, type NatsServer } from "../test/support/servers/nats.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";

const WORKERS = 4;
const CALLERS = 48;
const CALL_MS = 10;
const RESTART_MS = 4000;
/** After a line is printed, which takes so long that no call is under way. */
const KILL_MS = 500;
/** How long the last answers may take: longer than a call is delivered again, and than servers elect a leader. */
const ANSWERS_MS = 30_000;

interface Demo {
  readonly on: FleetEngine;
  readonly servers: readonly NatsServer[];
  readonly workers: WorkerProcess[];
  readonly ledger: string;
  readonly startWorker: () => Promise<WorkerProcess>;
}

interface Counts {
  asked: number;
  answered: number;
  /** By the code of the answer. */
  readonly codes: Map<string, number>;
  /** Of the current second, in milliseconds. */
  times: number[];
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const seconds = Number(values.seconds);
if (!(seconds >= 5)) fail(`--seconds must be a number of at least 5, not ${JSON.stringify(values.seconds)}`);
if (spawnSync("nats-server", ["--version"]).error !== undefined)
  fail(
    "nats-server is not installed: apt-get install nats-server (Debian, Ubuntu), brew install nats-server (macOS), or https://github.com/nats-io/nats-server/releases",
  );
const closers: (() => unknown)[] = [];
const t = lastFirst({ after: (close) => void closers.push(close as () => unknown) });
const ended = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => ended.resolve());
let isLost = true;
try {
  const demo = await open(t);
  isLost = !(await run(demo));
} finally {
  process.stdin.setRawMode?.(false);
  process.stdin.pause();
  for (const close of closers) await close();
}
process.exit(isLost ? 1 : 0);

function fail(message: string): never {
  process.stderr.write(`fleet:demo: ${message}\n`);
  process.exit(2);
}

async function open(test: Cleanup): Promise<Demo> {
  print("starting three servers and four workers …");
  const servers = await startNatsCluster(test);
  const place = { servers: servers.map(({ url }) => url), replicas: 3 };
  const ledger = join(temporaryFolder(test), "ledger");
  appendFileSync(ledger, "");
  const startWorker = (): Promise<WorkerProcess> =>
    startWorkerProcess(test, { ...place, ledger, concurrency: 16 });
  const workers = [await startWorker()];
  workers.push(...(await Promise.all(Array.from({ length: WORKERS - 1 }, startWorker))));
  const on = await openFleetEngine(test, place);
  await hasTool(on, "write_unsafe");
  return { on, servers, workers, ledger, startWorker };
}

/** Returns true if every call has one answer and no unsafe call began twice. */
async function run(demo: Demo): Promise<boolean> {
  const counts: Counts = { asked: 0, answered: 0, codes: new Map(), times: [] };
  const kill = createKills(demo);
  const over = new AbortController();
  void ended.promise.then(() => over.abort());
  print(
    "press w to kill a worker, s to kill a server, Ctrl-C to end; without a key, one of each is killed after a time\n",
  );
  listenForKeys(kill);
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over.signal.aborted) await call(demo.on, counts);
  });
  const startedAt = Date.now();
  let last = 0;
  const timer = setInterval(() => {
    const at = Math.round((Date.now() - startedAt) / 1000);
    print(lineOf(at, counts, counts.answered - last, demo));
    last = counts.answered;
    counts.times = [];
    if (at === Math.round(seconds / 3) && !kill.wasUsed()) setTimeout(() => void kill.worker(), KILL_MS);
    if (at === Math.round((2 * seconds) / 3) && kill.isAutomatic()) void kill.server();
    if (at >= seconds) ended.resolve();
  }, 1000);
  await ended.promise;
  print("\nwaiting for the last answers …");
  clearInterval(timer);
  await kill.done();
  await Promise.race([Promise.all(callers), new Promise((resolve) => setTimeout(resolve, ANSWERS_MS))]);
  return report(demo, counts);
}

async function call({ engine }: FleetEngine, counts: Counts): Promise<void> {
  counts.asked += 1;
  const id = String(counts.asked);
  const name = `write_${["none", "idempotent", "unsafe"][counts.asked % 3]}`;
  const startedAt = performance.now();
  const result = await engine.run({ id, name, input: { id, ms: CALL_MS } });
  counts.times.push(performance.now() - startedAt);
  counts.answered += 1;
  const code = result.ok ? "ok" : result.error.code;
  counts.codes.set(code, (counts.codes.get(code) ?? 0) + 1);
}

/** Kills with SIGKILL; what was killed is started again some seconds later. */
function createKills({ workers, servers, startWorker }: Demo) {
  const again: Promise<void>[] = [];
  let [wasUsed, isAutomatic, next] = [false, true, 0];
  const later = async (work: () => Promise<unknown>): Promise<void> => {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, RESTART_MS)), ended.promise]);
    await work();
  };
  return {
    wasUsed: () => wasUsed,
    isAutomatic: () => isAutomatic,
    byKey: () => void (isAutomatic = false),
    done: () => Promise.all(again),
    async worker() {
      wasUsed = true;
      const one = workers.shift();
      if (one === undefined) return;
      print(`--- kill -9 of the worker ${one.pid}`);
      await one.kill();
      again.push(later(async () => void workers.push(await startWorker())));
    },
    async server() {
      wasUsed = true;
      const one = servers[(next += 1) % servers.length];
      if (one === undefined) return;
      print(`--- kill -9 of the server ${one.url}`);
      await one.kill();
      again.push(later(() => one.restart()));
    },
  };
}

function listenForKeys(kill: ReturnType<typeof createKills>): void {
  if (!process.stdin.isTTY) return;
  process.stdin.setRawMode(true);
  process.stdin.on("data", (key) => {
    kill.byKey();
    const text = key.toString();
    if (text === "w") void kill.worker();
    else if (text === "s") void kill.server();
    else if (text === "\u0003" || text === "q") ended.resolve();
  });
}

function lineOf(at: number, { times, answered }: Counts, rate: number, { ledger, workers }: Demo): string {
  const sorted = times.toSorted((one, other) => one - other);
  const ms = (share: number): string => `${sorted[Math.floor(sorted.length * share)]?.toFixed(0) ?? "-"} ms`;
  const begun = Map.groupBy(readLedger(ledger), ([, , , pid]) => pid);
  const each = workers.map(({ pid }) => begun.get(String(pid))?.length ?? 0).map((count) => count >> 1);
  return `${String(at).padStart(3)} s  ${String(rate).padStart(5)} calls/s  p50 ${ms(0.5)}  p99 ${ms(0.99)}  answered ${answered}  by worker: ${each.join(" ")}`;
}

function report({ ledger }: Demo, { asked, answered, codes }: Counts): boolean {
  const begins = readLedger(ledger).filter(([, step]) => step === "begin");
  const times = Map.groupBy(begins, ([effects, , id]) => `${effects} ${id}`);
  const repeated = [...times].filter(([, all]) => all.length > 1);
  const twice = repeated.filter(([name]) => name.startsWith("unsafe"));
  const byCode = [...codes].map(([code, count]) => `${count} ${code}`).join(", ");
  print(`asked ${asked}, answered ${answered} (${byCode}), lost ${asked - answered}`);
  print(
    `run again after a kill: ${repeated.length - twice.length} safe calls; unsafe calls that began twice: ${twice.length}`,
  );
  return asked === answered && twice.length === 0;
}

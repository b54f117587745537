import { randomUUID } from "node:crypto";
import { connectFleet } from "../src/remote/fleet/connect.ts";
import { hasTool, openFleetEngine, sendCall, type FleetEngine } from "../test/support/fleet/fleet.ts";
import { lastFirst, startNats, type Cleanup } from "../test/support/servers/nats.ts";
import { BARE, BEGUN, openBareFleet, SEEN } from "./bare-fleet.ts";
import { median, type Row } from "./measure.ts";
import { startPrinting } from "./start-printing.ts";

const ROUNDS = 9;
const SERIAL = 200;
const PARALLEL = 2000;
const IN_FLIGHT = 256;
const CONCURRENCY = 64;
const WAIT_MS = 50;
/** Long enough that the first and the last calls, at which slots are free, do not count. */
const WAITS_PER_WORKER = 640;
const WAIT_SLOTS = 8;
const ENDS = 60;
const DEADLINE_MS = 40;
const KILLS = 4;

type Call = (index: number) => Promise<unknown>;

/** Measures calls through one nats-server and two workers against a bare prototype on the same server, interleaved. */
export async function benchFleet(): Promise<readonly Row[]> {
  const closers: (() => unknown)[] = [];
  const t = lastFirst({ after: (close) => void closers.push(close as () => unknown) });
  try {
    const { url } = await startNats(t);
    return [
      ...(await benchCalls(t, url)),
      await benchScaling(t, url),
      ...(await benchEnds(t, url)),
      await benchKill(t, url),
    ];
  } finally {
    for (const close of closers) await close();
  }
}

async function benchCalls(t: Cleanup, url: string): Promise<readonly Row[]> {
  const ours = await openOurs(t, url, "ours", CONCURRENCY);
  const bare = await openBare(t, url);
  await ours.workers(2);
  const sides = { safe: ours.calls("add"), unsafe: ours.calls("pay"), bare };
  const names = ["safe", "unsafe", "bare"] as const;
  const times = { safe: [] as number[], unsafe: [] as number[], bare: [] as number[] };
  const rates = { safe: [] as number[], unsafe: [] as number[], bare: [] as number[] };
  for (let round = -2; round < ROUNDS; round += 1)
    for (const name of names) {
      const time = await serial(sides[name]);
      const rate = await parallel(sides[name], PARALLEL);
      if (round < 0) continue;
      times[name].push(time);
      rates[name].push(rate);
    }
  const [base, baseRate] = [median(times.bare), median(rates.bare)];
  return (["safe", "unsafe"] as const).flatMap((name) => {
    const [time, rate] = [median(times[name]), median(rates[name])];
    const isSafe = name === "safe";
    return [
      {
        what: `a call to the fleet, ${name}, p50`,
        figure: `${time.toFixed(2)} ms`,
        against: `${base.toFixed(2)} ms`,
        ratio: time / base,
        target: isSafe ? "1.5 ms, 1.5x" : "",
        isReached: !isSafe || (time < 1.5 && time <= 1.5 * base),
      },
      {
        what: `calls to the fleet, ${name}, ${IN_FLIGHT} at a time`,
        figure: `${rate.toFixed(0)} /s`,
        against: `${baseRate.toFixed(0)} /s`,
        ratio: baseRate / rate,
        target: isSafe ? "3 000 /s, 1.5x" : "",
        isReached: !isSafe || (rate >= 3000 && baseRate <= 1.5 * rate),
      },
    ];
  });
}

async function benchScaling(t: Cleanup, url: string): Promise<Row> {
  const ours = await openOurs(t, url, "scaling", WAIT_SLOTS);
  const rates: number[] = [];
  let started = 0;
  for (const count of [1, 4]) {
    await ours.workers(count - started);
    started = count;
    const call = ours.calls("wait");
    // New workers are slower until their code is compiled.
    await parallel(call, WAITS_PER_WORKER * count, 2 * WAIT_SLOTS * count);
    // Twice as many callers as slots: no slot waits for a caller.
    rates.push(await parallel(call, WAITS_PER_WORKER * count, 2 * WAIT_SLOTS * count));
  }
  const [one = 0, four = 0] = rates;
  return {
    what: `1 to 4 workers, calls that wait ${WAIT_MS} ms`,
    figure: `${(four / one).toFixed(2)}x`,
    against: `${one.toFixed(0)} to ${four.toFixed(0)} /s`,
    target: "3.6x",
    isReached: four / one >= 3.6,
  };
}

/** Measures the time from the end of a call at the engine until its tool on the worker sees the abort signal. */
async function benchEnds(t: Cleanup, url: string): Promise<readonly Row[]> {
  const ours = await openOurs(t, url, "ends", WAIT_SLOTS);
  await ours.workers(1);
  const { on } = ours;
  const { nc } = on.fleet;
  const next = (subject: string): Promise<string> => nextMessage(on, subject);
  /** Returns milliseconds from the moment that the work returns until the worker's report. */
  const time = async (work: () => Promise<bigint>): Promise<number> => {
    const seen = next(SEEN);
    const from = await work();
    return Number(BigInt(await seen) - from) / 1e6;
  };
  const hold = on.engine.get("hold") ?? fail("no worker has the tool hold");
  const ways = {
    bare: async () => {
      const from = process.hrtime.bigint();
      nc.publish(`${BARE}.ends`);
      return from;
    },
    "its cancellation": async () => {
      const controller = new AbortController();
      const begun = next(BEGUN);
      void on.engine.run({ id: randomUUID(), name: "hold", input: {} }, { signal: controller.signal });
      await begun;
      const from = process.hrtime.bigint();
      controller.abort();
      return from;
    },
    "its deadline": async () => {
      const from = process.hrtime.bigint() + BigInt(DEADLINE_MS * 1e6);
      await on.engine.run({ id: randomUUID(), name: "hold", input: {} }, { timeoutMs: DEADLINE_MS });
      return from;
    },
    "its deadline, without the engine": async () => {
      const from = process.hrtime.bigint() + BigInt(DEADLINE_MS * 1e6);
      const now = Date.now();
      const head = { key: randomUUID(), engine: "gone", issuedAt: now, expiresAt: now + DEADLINE_MS };
      await sendCall(on, hold, head, { input: Buffer.from("{}") });
      return from;
    },
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = -5; round < ENDS; round += 1)
    for (const [name, way] of Object.entries(ways)) {
      const one = await time(way);
      if (round >= 0) times[name]?.push(one);
    }
  const { bare = [], ...ends } = times;
  return Object.entries(ends).map(([name, all]) => {
    const [half, most] = [median(all), quantile(all, 0.95)];
    return {
      what: `a call on a worker ends after ${name}, p50, p95`,
      figure: `${half.toFixed(1)} ms, ${most.toFixed(1)} ms`,
      against: `${median(bare).toFixed(1)} ms`,
      ratio: half / median(bare),
      target: "50 ms",
      isReached: most < 50,
    };
  });
}

/** Measures the time from kill -9 of a worker until its call runs on another one. */
async function benchKill(t: Cleanup, url: string): Promise<Row> {
  const ours = await openOurs(t, url, "kill", WAIT_SLOTS);
  const times: number[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    await ours.workers(round === 0 ? 2 : 1);
    const controller = new AbortController();
    const first = nextMessage(ours.on, BEGUN);
    const call = { id: randomUUID(), name: "hold_safely", input: {} };
    const running = ours.on.engine.run(call, { signal: controller.signal, timeoutMs: 60_000 });
    const pid = Number(await first);
    const second = nextMessage(ours.on, BEGUN);
    const startedAt = performance.now();
    process.kill(pid, "SIGKILL");
    await second;
    times.push(performance.now() - startedAt);
    controller.abort();
    await running;
  }
  const most = Math.max(...times) / 1000;
  return {
    what: `a safe call runs again after kill -9 of its worker, most of ${KILLS}`,
    figure: `${most.toFixed(1)} s`,
    against: "",
    target: "5 s",
    isReached: most < 5,
  };
}

async function nextMessage({ fleet }: FleetEngine, subject: string): Promise<string> {
  for await (const message of fleet.nc.subscribe(subject, { max: 1 })) return message.string();
  throw new Error("the connection was closed");
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function fail(message: string): never {
  throw new Error(message);
}

async function openOurs(t: Cleanup, url: string, namespace: string, concurrency: number) {
  const on = await openFleetEngine(t, { servers: [url], namespace });
  const workersNow = () => on.fleet.directory.workers();
  return {
    on,
    async workers(count: number): Promise<void> {
      const before = new Set(workersNow().map(({ id }) => id));
      for (let index = 0; index < count; index += 1)
        await startBenchWorker(t, { servers: [url], kind: "fleet", namespace, concurrency });
      await hasTool(on, "pay");
      while (workersNow().filter(({ id }) => !before.has(id)).length < count)
        await new Promise((resolve) => setTimeout(resolve, 10));
    },
    calls:
      (name: string): Call =>
      async (index) => {
        const input = name === "wait" ? { ms: WAIT_MS } : { a: index, b: 1 };
        const result = await on.engine.run({ id: randomUUID(), name, input });
        if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`);
      },
  };
}

async function openBare(t: Cleanup, url: string): Promise<Call> {
  const connection = await connectFleet({ servers: [url], namespace: "bare" }, "bench");
  t.after(() => connection.close());
  const bare = await openBareFleet(connection);
  for (let index = 0; index < 2; index += 1)
    await startBenchWorker(t, {
      servers: [url],
      kind: "bare",
      namespace: "bare",
      concurrency: CONCURRENCY,
    });
  return (index) => bare.call(randomUUID(), { a: index, b: 1 });
}

async function startBenchWorker(t: Cleanup, options: object): Promise<void> {
  const worker = await startPrinting({
    command: process.execPath,
    args: ["bench/fleet-worker.ts", JSON.stringify(options)],
    env: { PATH: process.env["PATH"] ?? "" },
  });
  t.after(() => worker.close());
}

/** Returns the median time of calls one after the other, in milliseconds. */
async function serial(call: Call): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < SERIAL; index += 1) {
    const startedAt = performance.now();
    await call(index);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Returns calls in a second. */
async function parallel(call: Call, count: number, inFlight = IN_FLIGHT): Promise<number> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await call((next += 1));
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, caller));
  return (count * 1000) / (performance.now() - startedAt);
}

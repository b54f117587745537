import type { ServedEngine } from "./served.ts";

/** Upper bounds of the latency buckets, in seconds. */
const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Names of tools come from callers: after this many, further ones share a label. */
const MAX_TOOLS = 500;

interface Histogram {
  readonly buckets: number[];
  sum: number;
  count: number;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Returns a function that counts the calls of every process of the store by tool and code. Returns none until all are counted, and none
 * if the store has no counts that only grow. A tool keeps its label.
 */
export function createStoredCalls(figures: ServedEngine["figures"]): () => Promise<readonly Sample[]> {
  const labelled = new Set<string>();
  return async () => {
    const until = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    // One bucket: the counts of every day are not read one by one.
    const { cells, isPartial, isWindow } = await figures.count({ since: 0, until, bucketMs: until });
    if (isPartial || isWindow === true) return [];
    const sums = new Map<string, number>();
    for (const { name, outcome, calls } of cells) {
      if (labelled.size < MAX_TOOLS) labelled.add(name);
      const labels = labelsOf({ tool: labelled.has(name) ? name : "other", code: outcome });
      sums.set(labels, (sums.get(labels) ?? 0) + calls);
    }
    return [...sums];
  };
}

/** Counts the calls of this process from now on. The returned function returns the metrics in the text format of Prometheus. */
export function createMetrics({
  engine,
  store,
  queue,
  running,
  figures,
}: ServedEngine): () => Promise<string> {
  const calls = new Map<string, number>();
  const latencies = new Map<string, Histogram>();
  const startedCalls = new Set<string>();
  const storedCalls = createStoredCalls(figures);
  engine.on(
    (event) => {
      if (event.type === "call.started") {
        startedCalls.add(event.callId);
        return;
      }
      const { name, ok, meta } = event.result;
      startedCalls.delete(event.callId);
      const isKnown = engine.get(name) !== undefined && (latencies.has(name) || latencies.size < MAX_TOOLS);
      const tool = isKnown ? name : "other";
      const labels = labelsOf({ tool, code: ok ? "ok" : event.result.error.code, place: meta.place });
      calls.set(labels, (calls.get(labels) ?? 0) + 1);
      observe(latencies, tool, meta.durationMs / 1000);
    },
    ["call.started", "call.answered"],
  );
  return async () => {
    const startedAt = performance.now();
    const open = await store.journal.list({ state: "open", limit: 10_000 });
    const lagSeconds = (performance.now() - startedAt) / 1000;
    const waiting = (await queue.pending()).length;
    const stored = await storedCalls();
    return [
      ...family("toolwright_calls_total", "counter", "answered calls", [...calls]),
      ...family("toolwright_store_calls_total", "counter", "answered calls of every process", stored),
      ...family("toolwright_call_seconds", "histogram", "duration of calls", histograms(latencies)),
      ...gauge("toolwright_calls_running", "calls whose tool runs in this process", startedCalls.size),
      ...gauge(
        "toolwright_calls_queued",
        "calls of this process that wait for approval or for a free place",
        Math.max(0, running.count() - startedCalls.size),
      ),
      ...gauge(
        "toolwright_calls_open",
        "calls without an answer in the journal, of every process",
        open.length,
      ),
      ...gauge("toolwright_approvals_pending", "calls that wait for approval, of every process", waiting),
      ...gauge(
        "toolwright_journal_lag_seconds",
        "time until the journal has all answers of this process",
        lagSeconds,
      ),
      ...gauge("toolwright_memory_bytes", "resident memory of this process", process.memoryUsage.rss()),
      "",
    ].join("\n");
  };
}

function observe(latencies: Map<string, Histogram>, tool: string, seconds: number): void {
  const known = latencies.get(tool) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
  latencies.set(tool, known);
  const index = BOUNDS.findIndex((bound) => seconds <= bound);
  if (index >= 0) known.buckets[index] = (known.buckets[index] ?? 0) + 1;
  known.sum += seconds;
  known.count += 1;
}

type Sample = readonly [suffixAndLabels: string, value: number];

function histograms(latencies: ReadonlyMap<string, Histogram>): readonly Sample[] {
  return [...latencies].flatMap(([tool, { buckets, sum, count }]) => {
    let below = 0;
    const counted = BOUNDS.map((bound, index): Sample => {
      below += buckets[index] ?? 0;
      return [`_bucket${labelsOf({ tool, le: String(bound) })}`, below];
    });
    const labels = labelsOf({ tool });
    return [
      ...counted,
      [`_bucket${labelsOf({ tool, le: "+Inf" })}`, count],
      [`_sum${labels}`, sum],
      [`_count${labels}`, count],
    ];
  });
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([rest, value]) => `${name}${rest} ${value}`),
  ];
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return family(name, "gauge", help, [["", value]]);
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const escaped = (value: string): string =>
    value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`);
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;
}

// Measures how the time of work grows with its size, from 10 to the largest size that is supported, and fits the exponent of each curve:
// 1 is linear, 0 flat. Exits with 1 if one is above the bar. npm run curves [-- PART OF A NAME]
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, integer, object } from "toolwright";
import { openStore } from "toolwright/store";
import { fileTools } from "toolwright/tools";

const BAR = 1.1;
/** Shorter times are mostly the cost of one call, whatever its size. */
const LEAST_MS = 1;
const ROUNDS = 3;
/** The system counts CPU time in ticks of up to 10 ms: short work is done until it has taken this long, and shared. */
const ENOUGH_MS = 60;
const MAX_ROUNDS = 300;

/** Work of a size, which is set up before each measurement. */
interface Curve {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly open: (size: number, folder: string) => Promise<Opened> | Opened;
  /** Other processes do a part of the work: its time is that of the clock, else the CPU time of this thread, which a busy machine changes less. */
  readonly isOnClock?: boolean;
}

interface Opened {
  /** What is measured. */
  readonly work: () => unknown;
  readonly close?: () => unknown;
}

const TENS = [10, 100, 1000, 10_000] as const;
const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: object({ a: integer(), b: integer() }),
  risk: "low",
  effects: "none",
  run: ({ a, b }) => a + b,
});
const CALL = { id: "1", name: "add", input: { a: 1, b: 2 } };
const tools = (count: number) =>
  Array.from({ length: count }, (_, index) => defineTool({ ...add, name: `tool_${index}` }));
const times = async (count: number, work: (index: number) => unknown): Promise<void> => {
  for (let index = 0; index < count; index += 1) await work(index);
};

/** Calls that wait, all with one signal or with none, until they are cancelled. */
function pending(hasSignal: boolean): Curve["open"] {
  return (size) => {
    const wait = defineTool({
      ...add,
      name: "wait",
      input: object({}),
      run: (_input, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    const engine = createEngine({ tools: [wait] });
    const { signal } = new AbortController();
    const options = hasSignal ? { signal } : {};
    return {
      work: () => {
        for (let index = 0; index < size; index += 1)
          void engine.run({ id: `${index}`, name: "wait", input: {} }, options);
      },
      close: () => engine.close(),
    };
  };
}

function answer(toAnswer: (size: number) => unknown): Curve["open"] {
  return (size) => {
    const value = toAnswer(size);
    const engine = createEngine({
      tools: [defineTool({ ...add, name: "large", input: object({}), run: () => value })],
    });
    return { work: () => engine.run({ id: "1", name: "large", input: {} }), close: () => engine.close() };
  };
}

/** A tree of files, a hundred in a folder. */
function files(name: string, input: object): Curve["open"] {
  return (size, root) => {
    for (let index = 0; index < size; index += 1) {
      const folder = join(root, `folder${Math.floor(index / 100)}`);
      if (index % 100 === 0) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `file_${index % 100}.ts`), "");
    }
    const engine = createEngine({ tools: fileTools({ root }), workspace: [root] });
    return {
      async work() {
        const result = await engine.run({ id: "1", name, input });
        if (!result.ok) throw new Error(result.error.message);
      },
      close: () => engine.close(),
    };
  };
}

const CURVES: readonly Curve[] = [
  {
    name: "tools defined and added",
    sizes: [...TENS, 100_000],
    open: (size) => ({ work: () => createEngine({ tools: tools(size) }) }),
  },
  {
    name: "an unknown name among tools",
    sizes: [...TENS, 100_000],
    open(size) {
      const engine = createEngine({ tools: tools(size) });
      return { work: () => engine.run({ ...CALL, name: "tol_77777" }), close: () => engine.close() };
    },
  },
  {
    name: "1 000 calls beside tools",
    sizes: [...TENS, 100_000],
    open(size) {
      const engine = createEngine({ tools: [add, ...tools(size)] });
      return { work: () => times(1000, () => engine.run(CALL)), close: () => engine.close() };
    },
  },
  {
    name: "1 000 calls under rules",
    sizes: [10, 100, 1000],
    open(size) {
      const rules = Array.from({ length: size }, (_, index) => ({
        tool: `other_${index}_*`,
        decision: "deny" as const,
      }));
      const engine = createEngine({ tools: [add], rules });
      return { work: () => times(1000, () => engine.run(CALL)), close: () => engine.close() };
    },
  },
  {
    name: "sessions with a call each",
    sizes: TENS,
    open(size) {
      const engine = createEngine({ tools: [add] });
      return {
        work: () => times(size, (index) => engine.run(CALL, { session: `s${index}` })),
        close: () => engine.close(),
      };
    },
  },
  { name: "pending calls without a signal", sizes: [...TENS, 20_000], open: pending(false) },
  { name: "pending calls with one signal", sizes: [...TENS, 20_000], open: pending(true) },
  {
    name: "calls of one runAll",
    sizes: TENS,
    open(size) {
      const engine = createEngine({ tools: [add] });
      const calls = Array.from({ length: size }, (_, index) => ({ ...CALL, id: `${index}` }));
      return { work: () => engine.runAll(calls), close: () => engine.close() };
    },
  },
  {
    name: "calls with a journal on disk",
    sizes: [1000, 10_000, 100_000],
    async open(size, folder) {
      const store = await openStore({ folder });
      const engine = createEngine({ tools: [add], journal: store.journal });
      return {
        async work() {
          await times(size, (index) => engine.run({ ...CALL, id: `${index}` }));
          // Until all are written.
          await store.journal.list({ limit: 1 });
        },
        close: async () => (await engine.close(), store.close()),
      };
    },
  },
  {
    name: "the last 20 of stored calls",
    sizes: [...TENS, 100_000],
    async open(size, folder) {
      const store = await openStore({ folder });
      const engine = createEngine({ tools: [add], journal: store.journal });
      await times(size, (index) => engine.run({ ...CALL, id: `${index}` }));
      await store.journal.list({ limit: 1 });
      return {
        work: () => store.journal.list({ limit: 20 }),
        close: async () => (await engine.close(), store.close()),
      };
    },
  },
  {
    name: "an answer of KB of text",
    sizes: [10, 100, 1000, 16_000],
    open: answer((size) => "some words of a text ".repeat(size * 48)),
  },
  {
    name: "an answer of rows of JSON",
    sizes: [...TENS, 50_000],
    open: answer((size) =>
      Array.from({ length: size }, (_, id) => ({ id, name: `row ${id}`, text: "some words of a row" })),
    ),
  },
  {
    name: "glob **/*.ts in files",
    sizes: [...TENS, 100_000],
    isOnClock: true,
    open: files("glob", { pattern: "**/*.ts" }),
  },
  {
    name: "ls, recursive, of files",
    sizes: TENS,
    isOnClock: true,
    open: files("ls", { path: ".", recursive: true, max_depth: 9 }),
  },
  {
    name: "grep in files",
    sizes: [...TENS, 100_000],
    isOnClock: true,
    open: files("grep", { pattern: "nowhere" }),
  },
];

let isOver = false;
const [, , part = ""] = process.argv;
for (const curve of CURVES.filter(({ name }) => name.includes(part))) {
  const points: (readonly [size: number, ms: number])[] = [];
  for (const size of curve.sizes) points.push([size, await measure(curve, size)]);
  const exponent = exponentOf(points);
  isOver ||= exponent > BAR;
  const cells = points.map(([size, ms]) => `${size.toLocaleString("en")}: ${ms.toFixed(ms < 10 ? 2 : 0)}`);
  console.log(
    `${exponent > BAR ? "--" : "ok"}  ${curve.name.padEnd(34)} exponent ${exponent.toFixed(2).padStart(5)}   ms  ${cells.join("  ")}`,
  );
}
process.exitCode = isOver ? 1 : 0;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the time of the work in milliseconds: on the clock the least of several rounds, else the mean of as many as are enough, after one that is not counted. */
async function measure({ open, isOnClock = false }: Curve, size: number): Promise<number> {
  if (isOnClock) {
    const times: number[] = [];
    while (times.length < ROUNDS) times.push(await measureOnce(open, size, () => performance.now()));
    return Math.min(...times);
  }
  await measureOnce(open, size, cpuMs);
  let [total, rounds] = [0, 0];
  while (rounds < ROUNDS || (total < ENOUGH_MS && rounds < MAX_ROUNDS)) {
    total += await measureOnce(open, size, cpuMs);
    rounds += 1;
  }
  return total / rounds;
}

async function measureOnce(open: Curve["open"], size: number, now: () => number): Promise<number> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
  const { work, close } = await open(size, folder);
  const startedAt = now();
  await work();
  const spent = now() - startedAt;
  await close?.();
  rmSync(folder, { recursive: true });
  return spent;
}

/** Returns the slope of the line through the logarithms of the points after the last short one; of the last two if there are fewer. */
function exponentOf(points: readonly (readonly [size: number, ms: number])[]): number {
  const from = points.findLastIndex(([, ms]) => ms < LEAST_MS) + 1;
  const used = points.slice(Math.max(0, Math.min(from, points.length - 2)));
  // The clock of a thread may stand still for a moment.
  const logs = used.map(([size, ms]) => [Math.log(size), Math.log(Math.max(ms, 0.01))] as const);
  const mean = (index: 0 | 1): number => logs.reduce((sum, point) => sum + point[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [size, ms]) => sum + (size - x) * (ms - y), 0);
  return covariance / logs.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
}

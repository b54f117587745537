import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type ToolResult } from "toolwright";
import { openStore } from "toolwright/store";
import { builtInTools } from "toolwright/tools";
import { median, type Row } from "./measure.ts";

const CALLS = 1000;
const ROUNDS = 9;
const TARGET = 2;

/** Measures a program that makes 1 000 calls against the same calls with `runAll`, with the journal, interleaved. */
export async function benchRunCode(): Promise<readonly Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
  const root = join(folder, "workspace");
  mkdirSync(root);
  const store = await openStore({ folder: join(folder, "store") });
  writeFileSync(join(root, "file"), "a line of text\n".repeat(40));
  const engine = createEngine({
    workspace: [root],
    journal: store.journal,
    artifacts: store.artifacts,
    tools: builtInTools({ root, environment: {}, collections: store.collections }),
  });
  try {
    const together = await compare(
      () => runAll(engine),
      () => run(engine, AT_ONCE),
    );
    const inOrder = await compare(
      () => runEach(engine),
      () => run(engine, ONE_BY_ONE),
    );
    return [
      toRow("run_code, 1 000 read_file with Promise.all, over runAll", together),
      toRow("run_code, 1 000 read_file one by one, over run", inOrder),
    ];
  } finally {
    await engine.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const AT_ONCE = `const all = await Promise.all(Array.from({ length: ${CALLS} }, () => tools.read_file({ path: "file" })));
return all.length;`;
const ONE_BY_ONE = `for (let n = 0; n < ${CALLS}; n += 1) await tools.read_file({ path: "file" });
return ${CALLS};`;

async function run(engine: Engine, code: string): Promise<void> {
  const result = await engine.run({ id: nextId(), name: "run_code", input: { code } });
  check([result]);
}

async function runAll(engine: Engine): Promise<void> {
  check(await engine.runAll(Array.from({ length: CALLS }, readFile)));
}

async function runEach(engine: Engine): Promise<void> {
  for (let index = 0; index < CALLS; index += 1) check([await engine.run(readFile())]);
}

function readFile() {
  return { id: nextId(), name: "read_file", input: { path: "file" } };
}

let count = 0;
function nextId(): string {
  count += 1;
  return `bench-${count}`;
}

function check(results: readonly ToolResult[]): void {
  for (const result of results) if (!result.ok) throw new Error(result.error.message);
}

interface Compared {
  readonly baselineMs: number;
  readonly oursMs: number;
}

async function compare(baseline: () => Promise<void>, ours: () => Promise<void>): Promise<Compared> {
  const [before, after]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    before.push(await timeOf(baseline));
    after.push(await timeOf(ours));
  }
  // The first round warms up.
  return { baselineMs: median(before.slice(1)), oursMs: median(after.slice(1)) };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function toRow(what: string, { baselineMs, oursMs }: Compared): Row {
  const ratio = oursMs / baselineMs;
  return {
    what,
    figure: `${oursMs.toFixed(1)} ms`,
    against: `${baselineMs.toFixed(1)} ms`,
    ratio,
    target: `${TARGET}x`,
    isReached: ratio <= TARGET,
  };
}

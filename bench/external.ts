import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createExternalSource } from "toolwright/sources";
import { childEnvironment } from "toolwright/tools";
import { median, type Row } from "./measure.ts";

const PROGRAMS = 294;
const ROUNDS = 100;
/** The time that programs that hang may add. */
const HANG_MS = 1000;

/** Bad programs: three hang, two crash, one prints 100 MB. */
const ODD = [
  "exec sleep 60",
  "exec sleep 60",
  "trap '' TERM; while :; do sleep 0.2; done",
  "exit 3",
  "kill -SEGV $$",
  "exec head -c 100000000 /dev/zero",
];

/** Measures loading the schemas of 300 programs, and one call, against starting the same programs directly. */
export async function benchExternal(): Promise<readonly Row[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
  try {
    return [await benchDiscovery(root), await benchCall(root)];
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function benchDiscovery(root: string): Promise<Row> {
  const folder = join(root, "many");
  const good = Array.from({ length: PROGRAMS }, (_, index) => writeTool(folder, `tool_${index}`));
  for (const [index, body] of ODD.entries()) write(folder, `odd_${index}`, `#!/bin/sh\n${body}\n`);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    bare.push(await timed(() => Promise.all(good.map((path) => byHand(path, ["--schema"])))));
    ours.push(await timed(() => discoverAll(folder, root)));
  }
  const [ms, baselineMs] = [median(ours), median(bare)];
  return {
    what: "300 programs discovered, six of them broken",
    figure: `${ms.toFixed(0)} ms`,
    against: `${baselineMs.toFixed(0)} ms`,
    ratio: ms / baselineMs,
    target: "3x + 1 s",
    isReached: ms <= 3 * baselineMs + HANG_MS,
  };
}

async function discoverAll(folder: string, cwd: string): Promise<void> {
  const engine = createEngine();
  engine.sources.add(sourceOf(folder, cwd), { isWatched: false });
  await engine.sources.settled();
  const [tools, problems] = [engine.list().length, engine.sources.problems().length];
  if (tools !== PROGRAMS || problems !== ODD.length) throw new Error(`${tools} tools, ${problems} problems`);
  await engine.close();
}

async function benchCall(root: string): Promise<Row> {
  const folder = join(root, "one");
  const path = writeTool(folder, "echo");
  const engine = createEngine({ mode: "yolo" });
  engine.sources.add(sourceOf(folder, root), { isWatched: false });
  await engine.sources.settled();
  const input = { text: "x".repeat(1000) };
  const call = async (): Promise<void> => {
    const result = await engine.run({ id: "1", name: "echo", input });
    if (!result.ok) throw new Error(result.error.message);
  };
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -5; round < ROUNDS; round += 1) {
    const [hand, tool] = [await timed(() => byHand(path, [], JSON.stringify(input))), await timed(call)];
    if (round >= 0) bare.push(hand);
    if (round >= 0) ours.push(tool);
  }
  await engine.close();
  const [ms, baselineMs] = [median(ours), median(bare)];
  return {
    what: "external tool, round trip",
    figure: `${ms.toFixed(2)} ms`,
    against: `${baselineMs.toFixed(2)} ms`,
    ratio: ms / baselineMs,
    target: "1.2x",
    isReached: ms / baselineMs <= 1.2,
  };
}

function sourceOf(path: string, cwd: string): ReturnType<typeof createExternalSource> {
  return createExternalSource({ directories: [{ path }], cwd, environment: childEnvironment(process.env) });
}

/** The direct way: spawn, write standard input, read both outputs, parse the answer. */
function byHand(path: string, args: readonly string[], stdin?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env: { ...childEnvironment(process.env) }, detached: true });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.stderr.resume();
    child.stdin.on("error", () => undefined).end(stdin);
    child.on("error", reject);
    child.on("close", () => resolve(JSON.parse(text)));
  });
}

function writeTool(folder: string, name: string): string {
  const schema = JSON.stringify({ name, description: "For a measurement.", parameters: {} });
  return write(folder, name, `#!/bin/sh\n[ "$1" = --schema ] && { echo '${schema}'; exit; }\nexec cat\n`);
}

function write(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

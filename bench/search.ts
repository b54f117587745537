import { rgPath } from "@vscode/ripgrep";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine } from "toolwright";
import { fileTools } from "toolwright/tools";
import { median, type Row } from "./measure.ts";

const FILES = Number(process.env["BENCH_FILES"] ?? 20_000);
const FILES_PER_FOLDER = 100;
const ENDINGS = ["ts", "js", "md", "json"];
const ROUNDS = 9;
const READ_ROUNDS = 60;

interface Case {
  readonly what: string;
  readonly tool: string;
  readonly input: object;
  /** The same work with bare ripgrep; globs are sorted newest first, as by the tool. */
  readonly ripgrep: readonly string[];
  /** Default: 1.3. */
  readonly target?: number;
}

const CASES: readonly Case[] = [
  {
    what: "glob, a quarter of the files",
    tool: "glob",
    input: { pattern: "**/*.ts" },
    ripgrep: ["--files", "--sortr=modified", "--glob=**/*.ts"],
  },
  {
    what: "glob, one in a hundred",
    tool: "glob",
    input: { pattern: "file_8.ts" },
    ripgrep: ["--files", "--sortr=modified", "--glob=file_8.ts"],
  },
  {
    what: "ls, recursive",
    tool: "ls",
    input: { recursive: true, max_depth: 9 },
    ripgrep: ["--files"],
    target: 2,
  },
  {
    what: "grep, no match",
    tool: "grep",
    input: { pattern: "nowhere at all" },
    ripgrep: ["--line-number", "nowhere at all", "./"],
  },
  {
    what: "grep, names of files",
    tool: "grep",
    input: { pattern: "value7\\b", output: "files" },
    ripgrep: ["--files-with-matches", "value7\\b", "./"],
  },
  {
    what: "grep in **/*.ts",
    tool: "grep",
    input: { pattern: "nowhere at all", include: "**/*.ts" },
    ripgrep: ["--line-number", "--glob=**/*.ts", "nowhere at all", "./"],
  },
];

/** Measures the search tools against bare ripgrep, and read_file against reading the same file. */
export async function benchSearch(): Promise<readonly Row[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
  const engine = createEngine({ tools: fileTools({ root }), workspace: [root] });
  try {
    makeTree(root);
    const rows: Row[] = [];
    for (const one of CASES) rows.push(await benchCase(engine, root, one));
    return [...rows, await benchRead(engine, root)];
  } finally {
    await engine.close();
    rmSync(root, { recursive: true });
  }
}

function makeTree(root: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const folder = join(root, `folder${Math.floor(index / FILES_PER_FOLDER)}`);
    const number = index % FILES_PER_FOLDER;
    if (number === 0) mkdirSync(folder);
    const text = `// ${index}\nexport const value${number} = ${index};\n${"some more text\n".repeat(10)}`;
    writeFileSync(join(folder, `file_${number}.${ENDINGS[number % ENDINGS.length]}`), text);
  }
  writeFileSync(
    join(root, "large"),
    "A line of text that is fifty-nine characters long, or so.\n".repeat(18_000),
  );
}

async function benchCase(engine: Engine, root: string, one: Case): Promise<Row> {
  const ours = (): Promise<void> => call(engine, one.tool, one.input);
  const [figure, baseline] = await interleaved(ROUNDS, ours, () => ripgrep(root, one.ripgrep));
  return row(`${one.what} (${FILES.toLocaleString("en")} files)`, figure, baseline, one.target ?? 1.3);
}

async function benchRead(engine: Engine, root: string): Promise<Row> {
  const ours = (): Promise<void> => call(engine, "read_file", { path: "large" });
  const bare = async (): Promise<void> => void (await readFile(join(root, "large")));
  const [figure, baseline] = await interleaved(READ_ROUNDS, ours, bare);
  return row("read_file of 1 MB", figure, baseline, 2);
}

async function call(engine: Engine, name: string, input: object): Promise<void> {
  const result = await engine.run({ id: "1", name, input });
  if (!result.ok) throw new Error(result.error.message);
}

function ripgrep(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ["--no-config", ...args], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

/** Interleaved, so that load affects both. */
async function interleaved(
  rounds: number,
  ...works: readonly (() => Promise<void>)[]
): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (const work of works) await work();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now();
      await work();
      times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}

function row(what: string, ms = Number.NaN, baselineMs = Number.NaN, target = 1): Row {
  const ratio = ms / baselineMs;
  return {
    what,
    figure: `${ms.toFixed(2)} ms`,
    against: `${baselineMs.toFixed(2)} ms`,
    ratio,
    target: `${target}x`,
    isReached: ratio <= target,
  };
}

// Changes the code that decides about calls in thousands of small ways and fails if the tests notice less than 95 % of them. Arguments: patterns of files to mutate; `--sample PERCENT` tries a part, the same one for the same `--seed N`; `--budget MS` is the CPU time that the tests have to notice a mutant, the nearest and fastest first; `--list` mutates nothing and writes docs/mutants.md from the last run of each file.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { installPackage } from "../test/support/programs/npm-package.ts";
import { reasonFor } from "./mutation/equivalent.ts";
import { hashOf, storeResult, summaryPage, type Result } from "./mutation/results.ts";
import { intervalOf, isSampled } from "./mutation/sample.ts";

const STRYKER = ["@stryker-mutator/core", "10.1.1"] as const;
const LEAST_PERCENT = 95;
const DECIDING = [
  "src/policy/**/*.ts",
  "src/engine/pipeline/{judge,ask,inner-calls,route,check-options}.ts",
  "src/engine/call/ask-approver.ts",
  "src/engine/checks/*.ts",
  "src/shell/{reader,read-strictly,reads-in-box,may-be-tried}.ts",
  "src/shell/strict/*.ts",
  "src/shell/syntax/{network,recursive}-programs.ts",
  "src/shell/syntax/{started-words,windows-arguments}.ts",
  "src/shell/programs/{basic-commands,describe-command,unnamed-starts,unwrap}.ts",
  "src/shell/programs/disasters/*.ts",
];
const POLICY_TESTS = [
  "src/policy/**/*.test.ts",
  "test/policy-*.test.ts",
  "test/boundary/judged-classes.test.ts",
];
/** The tests that can notice a change of a room: loading and trying the others takes most of the time of a small run. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  "src/engine": ["src/engine/**/!(*.process)*.test.ts", "test/options-of-classes.test.ts"],
  "src/policy": POLICY_TESTS,
  // Without those that try thousands of texts or start a shell for each.
  "src/shell": [
    "src/shell/**/!(*.process|*.properties)*.test.ts",
    "src/shell/syntax/*.test.ts",
    ...POLICY_TESTS,
  ],
};

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly id: string;
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** Counted from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    budget: { type: "string", default: "500" },
    list: { type: "boolean", default: false },
  },
});
const sample = { percent: Number(options.sample), seed: Number(options.seed) };
const patterns = positionals.length > 0 ? positionals : DECIDING;
const folder = resolve("node_modules/.cache/mutation");
// Several runs may be under way, each for other files.
const report = join(folder, `report-${process.pid}.json`);
mkdirSync(folder, { recursive: true });
if (options.list) {
  listResults();
  process.exit();
}
const { program } = installPackage(...STRYKER);
const config = join(folder, `stryker-${process.pid}.json`);
writeFileSync(config, JSON.stringify(configuration()));
const { status } = spawnSync(process.execPath, [program("stryker"), "run", config], {
  stdio: "inherit",
  env: { ...process.env, TOOLWRIGHT_BRIEF: "1" },
});
if (status !== 0) process.exit(1);
printReport(JSON.parse(readFileSync(report, "utf8")) as Report);

function configuration(): Readonly<Record<string, unknown>> {
  return {
    mutate: [...patterns, "!**/*.test.ts"],
    testRunner: "in-process",
    inProcess: { testFiles: testsOf(patterns), sample, budgetMs: Number(options.budget) },
    plugins: [resolve("scripts/mutation/runner.ts"), resolve("scripts/mutation/ignore-texts.ts")],
    ignorers: ["texts"],
    // Without it a call throws or nothing changes: neither allows anything.
    mutator: { excludedMutations: ["OptionalChaining"] },
    coverageAnalysis: "perTest",
    // From the root: src/tools/web is needed.
    ignorePatterns: ["/dist", "/docs", "/web", "/bench", "/examples"],
    // Node strips no types below node_modules.
    tempDirName: ".mutation",
    tsconfigFile: "none",
    warnings: false,
    timeoutMS: 20_000,
    concurrency: 1,
    // Modules that were loaded once more for a mutant stay in memory.
    maxTestRunnerReuse: 1000,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: report },
  };
}

function testsOf(mutated: readonly string[]): readonly string[] {
  const rooms = Object.keys(TESTS).filter((room) =>
    mutated.some((pattern) => pattern.startsWith(`${room}/`)),
  );
  return [...new Set(rooms.flatMap((room) => TESTS[room] ?? []))];
}

/** Writes the page about the last run of each deciding file. */
function listResults(): void {
  const files = globSync(DECIDING)
    .filter((file) => !file.endsWith(".test.ts") && hasCode(file))
    .sort();
  writeFileSync("docs/mutants.md", summaryPage(files));
}

/** Returns false for a file with nothing but types, of which there are no mutants. */
function hasCode(file: string): boolean {
  return /^(?:export )?(?:async )?(?:function|class|const)\b/m.test(readFileSync(file, "utf8"));
}

/** Prints the mutants that no test noticed and that are not listed as equivalent, and the score of each file. */
function printReport({ files }: Report): void {
  let [noticed, all, listed] = [0, 0, 0];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const tried = mutants.filter(
      ({ id, status: outcome }) =>
        isSampled(id, sample) && !["Ignored", "CompileError", "RuntimeError"].includes(outcome),
    );
    const missed = tried.filter(({ status: outcome }) => ["Survived", "NoCoverage"].includes(outcome));
    const open = missed.filter(
      ({ location: { start, end }, replacement = "" }) =>
        reasonFor(file, textBetween(source, start, end), replacement) === undefined,
    );
    for (const { location, mutatorName, replacement = "", status: outcome } of open) {
      const { line, column } = location.start;
      const code = textBetween(source, location.start, location.end);
      console.log(
        `${file}:${line}:${column} ${outcome} ${mutatorName}: ${brief(code)} → ${brief(replacement)}`,
      );
    }
    const equivalent = missed.length - open.length;
    const result: Result = {
      hash: hashOf(source),
      noticed: tried.length - missed.length,
      equivalent,
      open: open.map(({ location: { start, end }, replacement = "" }) => [
        start.line,
        textBetween(source, start, end),
        replacement,
      ]),
    };
    if (sample.percent >= 100) storeResult(file, result);
    const count = tried.length - equivalent;
    console.log(
      `${file}: ${tried.length - missed.length} of ${count} mutants noticed, ${equivalent} more are listed as equivalent`,
    );
    noticed += tried.length - missed.length;
    all += count;
    listed += equivalent;
  }
  const percent = (100 * noticed) / all;
  if (sample.percent < 100) {
    const [low, high] = intervalOf(noticed, all);
    console.log(
      `a sample of ${sample.percent} % with seed ${sample.seed}: 95 % confidence interval ${low.toFixed(1)} to ${high.toFixed(1)} %`,
    );
  }
  console.log(
    `${noticed} of ${all} mutants noticed: ${percent.toFixed(1)} %, at least ${LEAST_PERCENT} % needed; ${listed} more are equivalent (scripts/mutation/equivalent-mutants/)`,
  );
  if (!(percent >= LEAST_PERCENT)) process.exit(1);
}

function textBetween(source: string, start: Place, end: Place): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = (lines.at(-1) ?? "").slice(0, end.column - 1);
  return [...lines.slice(0, -1), last].join("\n").slice(start.column - 1);
}

function brief(code: string): string {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

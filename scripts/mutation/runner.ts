// A test runner for Stryker that loads the tests once and runs those that cover a mutant in the same process: a mutant takes milliseconds, not the start of a process for each file.
import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { takeTests, type CollectedTest } from "./collect-tests.ts";
import { hookModules, importersOf, queryFor } from "./hook-modules.ts";
import { isSampled, type Sample } from "./sample.ts";

/** What instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string; readonly fileName: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly mutantActivation: "runtime" | "static";
  readonly sandboxFileName: string;
}

interface Failure {
  readonly id: string;
  readonly message: string;
}

interface TestRun {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  readonly status: 0 | 1;
  readonly failureMessage?: string;
}

interface Options {
  readonly inProcess: {
    readonly testFiles: readonly string[];
    readonly sample: Sample;
    /** The CPU time in which the tests must notice a mutant. */
    readonly budgetMs: number;
  };
}

const instrumentation: Instrumentation = ((globalThis as { __stryker__?: Instrumentation }).__stryker__ ??=
  {});

function createRunner({ inProcess }: Options) {
  let tests: ReadonlyMap<string, CollectedTest> | undefined;
  let haveRun = false;
  const load = async (): Promise<ReadonlyMap<string, CollectedTest>> =>
    (tests ??= await loadTests(filesOf(inProcess.testFiles)));
  /** Runs all tests. Afterwards their times are known, and all importers of a file, also in a process that replaces an earlier one. */
  const runAllOnce = async (): Promise<readonly TestRun[]> => {
    haveRun = true;
    return runAll(await load());
  };
  /** Loads the modules once more for a mutant that acts while they load: the nearest test file first, and no more than it takes to notice the mutant. */
  const runStatic = async (id: string, file: string) => {
    let count = 0;
    const importers = importersOf(file);
    const files = filesOf(inProcess.testFiles).filter((one) => importers.has(resolve(one)));
    const isSpent = startBudget(STATIC_FACTOR * inProcess.budgetMs);
    for (const testFile of nearestFirst(files, file)) {
      if (isSpent()) break;
      const loaded = await loadTests([testFile], queryFor(id, file)).catch((error: unknown) => String(error));
      if (typeof loaded === "string") return killed({ id: testFile, message: loaded }, count);
      for (const [name, test] of loaded) {
        count += 1;
        const failure = await tryTest(name, test);
        if (failure !== undefined) return killed(failure, count);
      }
    }
    return { status: "survived", nrOfTests: count };
  };

  const runTests = async (ids: readonly string[], loaded: ReadonlyMap<string, CollectedTest>) => {
    let count = 0;
    const isSpent = startBudget(inProcess.budgetMs);
    for (const id of ids) {
      if (isSpent()) break;
      const test = loaded.get(id);
      if (test === undefined) continue;
      count += 1;
      const failure = await tryTest(id, test);
      if (failure !== undefined) return killed(failure, count);
    }
    return { status: "survived", nrOfTests: count };
  };

  return {
    capabilities: () => ({ reloadEnvironment: true }),
    dryRun: async () => {
      const results = await runAllOnce();
      return { status: "complete", tests: results, mutantCoverage: instrumentation.mutantCoverage };
    },
    mutantRun: async ({
      activeMutant,
      testFilter,
      hitLimit,
      mutantActivation,
      sandboxFileName,
    }: MutantRun) => {
      if (!isSampled(activeMutant.id, inProcess.sample))
        return { status: "error", errorMessage: "not in the sample" };
      const loaded = await load();
      if (mutantActivation === "static" && !haveRun) await runAllOnce();
      Object.assign(instrumentation, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      try {
        if (mutantActivation === "static") return await runStatic(activeMutant.id, sandboxFileName);
        const { fileName } = activeMutant;
        const result = await runTests(nearestFirst(testFilter ?? [...loaded.keys()], fileName), loaded);
        for (const id of "killedBy" in result ? result.killedBy : []) noteKill(fileName, id);
        return result;
      } finally {
        instrumentation.activeMutant = undefined;
      }
    },
  };
}
createRunner.inject = ["options"];

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", factory: createRunner }];

hookModules();

/** Loading the modules once more takes most of the time. */
const STATIC_FACTOR = 4;

/** Returns a function that returns true once this process has used that much CPU time. */
function startBudget(budgetMs: number): () => boolean {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 > budgetMs;
  };
}

function filesOf(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns]).sort();
}

async function runAll(tests: ReadonlyMap<string, CollectedTest>): Promise<readonly TestRun[]> {
  const results: TestRun[] = [];
  for (const [id, test] of tests) {
    const startedAt = performance.now();
    instrumentation.currentTestId = id;
    const failure = await tryTest(id, test);
    const timeSpentMs = performance.now() - startedAt;
    const [file = ""] = id.split(": ");
    times.set(id, timeSpentMs).set(file, (times.get(file) ?? 0) + timeSpentMs);
    const result = { id, name: id, timeSpentMs };
    results.push(
      failure === undefined
        ? { ...result, status: 0 }
        : { ...result, status: 1, failureMessage: failure.message },
    );
  }
  instrumentation.currentTestId = undefined;
  return results;
}

/** How long the tests of each file, and each test by its id, took when they last passed. */
const times = new Map<string, number>();

/** By mutated file, the tests that noticed a mutant of it, and how many. */
const kills = new Map<string, Map<string, number>>();

function noteKill(mutated: string, test: string): void {
  const counts = kills.get(mutated) ?? new Map<string, number>();
  kills.set(mutated, counts.set(test, (counts.get(test) ?? 0) + 1));
}

/** Sorts files, or the ids of tests, which begin with their file: those beside the mutated file and those that noticed others of its mutants are the likeliest to notice, then the fast ones. */
function nearestFirst(tests: readonly string[], mutated: string): readonly string[] {
  const stem = basename(mutated, ".ts");
  const noticed = kills.get(mutated);
  const distanceOf = (test: string): number => {
    const [file = ""] = test.split(": ");
    const folder = dirname(file);
    const isBeside = dirname(mutated).endsWith(folder);
    if (isBeside && basename(file).includes(stem)) return 0;
    if (noticed?.has(test) === true) return 1;
    if (isBeside) return 2;
    return mutated.includes(`/${folder}/`) ? 3 : 4;
  };
  /** The more a test has noticed, the more time it may take. */
  const costOf = (test: string): number => (times.get(test) ?? 0) / (1 + (noticed?.get(test) ?? 0));
  return tests.toSorted((one, other) => distanceOf(one) - distanceOf(other) || costOf(one) - costOf(other));
}

/** Tests that measure time measure the instrumentation. */
const OF_TIME = /quickly|is fast|in linear time|in limited time/;

async function loadTests(files: readonly string[], query = ""): Promise<ReadonlyMap<string, CollectedTest>> {
  const tests = new Map<string, CollectedTest>();
  for (const file of files) {
    await import(pathToFileURL(resolve(file)).href + query);
    for (const test of takeTests()) if (!OF_TIME.test(test.name)) tests.set(`${file}: ${test.name}`, test);
  }
  return tests;
}

async function tryTest(id: string, test: CollectedTest): Promise<Failure | undefined> {
  const stray = Promise.withResolvers<never>();
  stray.promise.catch(() => {});
  process.once("uncaughtException", stray.reject);
  process.once("unhandledRejection", stray.reject);
  try {
    await Promise.race([test.run(), stray.promise]);
    // Rejections without a handler are reported after the promises of the test have settled.
    await Promise.race([new Promise(setImmediate), stray.promise]);
    return undefined;
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : String(error) };
  } finally {
    process.off("uncaughtException", stray.reject);
    process.off("unhandledRejection", stray.reject);
  }
}

function killed({ id, message }: Failure, nrOfTests: number) {
  return { status: "killed", killedBy: [id], failureMessage: message, nrOfTests };
}

// A test runner for Stryker that loads the tests once and runs those that cover a mutant in the same process: a mutant takes milliseconds, not the start of a process for each file.
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { takeTests, type CollectedTest } from "./collect-tests.ts";

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
}

interface Failure {
  readonly id: string;
  readonly message: string;
}

interface Options {
  readonly inProcess: { readonly testFiles: readonly string[] };
}

const instrumentation: Instrumentation = ((globalThis as { __stryker__?: Instrumentation }).__stryker__ ??=
  {});

function createRunner({ inProcess }: Options) {
  let tests: ReadonlyMap<string, CollectedTest> | undefined;
  const load = async (): Promise<ReadonlyMap<string, CollectedTest>> =>
    (tests ??= await loadTests(filesOf(inProcess.testFiles)));
  /** Loads the nearest test file first, and no more than it takes to notice the mutant. Stryker ends this process afterwards. */
  const runStatic = async ({ id, fileName }: MutantRun["activeMutant"]) => {
    instrumentation.activeMutant = id;
    let count = 0;
    for (const file of nearestFirst(filesOf(inProcess.testFiles), fileName)) {
      const loaded = await loadTests([file]).catch((error: unknown) => String(error));
      if (typeof loaded === "string") return killed({ id: file, message: loaded }, count);
      for (const [name, test] of loaded) {
        count += 1;
        const failure = await tryTest(name, test);
        if (failure !== undefined) return killed(failure, count);
      }
    }
    return { status: "survived", nrOfTests: count };
  };

  return {
    capabilities: () => ({ reloadEnvironment: false }),
    dryRun: async () => {
      const results = [];
      for (const [id, test] of await load()) {
        const startedAt = performance.now();
        instrumentation.currentTestId = id;
        const failure = await tryTest(id, test);
        const result = { id, name: id, timeSpentMs: performance.now() - startedAt };
        results.push(
          failure === undefined
            ? { ...result, status: 0 }
            : { ...result, status: 1, failureMessage: failure.message },
        );
      }
      instrumentation.currentTestId = undefined;
      return { status: "complete", tests: results, mutantCoverage: instrumentation.mutantCoverage };
    },
    mutantRun: async ({ activeMutant, testFilter, hitLimit, mutantActivation }: MutantRun) => {
      if (mutantActivation === "static") return runStatic(activeMutant);
      const loaded = await load();
      Object.assign(instrumentation, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      let count = 0;
      for (const id of nearestFirst(testFilter ?? [...loaded.keys()], activeMutant.fileName)) {
        const test = loaded.get(id);
        if (test === undefined) continue;
        count += 1;
        const failure = await tryTest(id, test);
        if (failure !== undefined) return killed(failure, count);
      }
      instrumentation.activeMutant = undefined;
      return { status: "survived", nrOfTests: count };
    },
  };
}
createRunner.inject = ["options"];

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", factory: createRunner }];

const COLLECTING = pathToFileURL(resolve(import.meta.dirname, "collect-tests.ts")).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "node:test" ? { url: COLLECTING, shortCircuit: true } : next(specifier, context),
});

function filesOf(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns]).sort();
}

/** Sorts files, or the ids of tests, which begin with their file: those beside the mutated file are the likeliest to notice. */
function nearestFirst(tests: readonly string[], mutated: string): readonly string[] {
  const stem = basename(mutated, ".ts");
  const distanceOf = (test: string): number => {
    const [file = ""] = test.split(": ");
    if (!dirname(mutated).endsWith(dirname(file))) return 2;
    return basename(file).startsWith(`${stem}.`) ? 0 : 1;
  };
  return tests.toSorted((one, other) => distanceOf(one) - distanceOf(other));
}

async function loadTests(files: readonly string[]): Promise<ReadonlyMap<string, CollectedTest>> {
  const tests = new Map<string, CollectedTest>();
  for (const file of files) {
    await import(pathToFileURL(resolve(file)).href);
    for (const test of takeTests()) tests.set(`${file}: ${test.name}`, test);
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

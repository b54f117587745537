// A test runner for Stryker that loads the tests once and runs those that cover a mutant in the same process: a mutant takes milliseconds, not the start of a process for each file.
import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
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
  readonly activeMutant: { readonly id: string };
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
    (tests ??= await loadTests(inProcess.testFiles));

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
      if (mutantActivation === "static") instrumentation.activeMutant = activeMutant.id;
      const loaded = await load().catch((error: unknown) => ({ id: "loading", message: String(error) }));
      if (!(loaded instanceof Map)) return killed(loaded as Failure, 0);
      Object.assign(instrumentation, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
      let count = 0;
      for (const id of testFilter ?? loaded.keys()) {
        const test = loaded.get(id) as CollectedTest | undefined;
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

async function loadTests(patterns: readonly string[]): Promise<ReadonlyMap<string, CollectedTest>> {
  const stand = pathToFileURL(resolve(import.meta.dirname, "collect-tests.ts")).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "node:test" ? { url: stand, shortCircuit: true } : next(specifier, context),
  });
  const tests = new Map<string, CollectedTest>();
  for (const file of globSync([...patterns]).sort()) {
    await import(pathToFileURL(resolve(file)).href);
    for (const test of takeTests()) tests.set(`${file}: ${test.name}`, test);
  }
  return tests;
}

async function tryTest(id: string, test: CollectedTest): Promise<Failure | undefined> {
  const stray = Promise.withResolvers<never>();
  stray.promise.catch(() => {});
  process.once("uncaughtException", stray.reject);
  try {
    await Promise.race([test.run(), stray.promise]);
    return undefined;
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : String(error) };
  } finally {
    process.off("uncaughtException", stray.reject);
  }
}

function killed({ id, message }: Failure, nrOfTests: number) {
  return { status: "killed", killedBy: [id], failureMessage: message, nrOfTests };
}

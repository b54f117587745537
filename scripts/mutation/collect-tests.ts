// Stands in for `node:test` while mutants are tried: collects the tests of a file instead of running them, so that one process can run them again for each mutant.
import type { mock } from "node:test";

type TestBody = (t: CollectedContext) => unknown;

type MockTracker = typeof mock;

/** The part of the context of `node:test` that the collected tests use. */
interface CollectedContext {
  readonly mock: MockTracker;
  after(clean: () => unknown): void;
  test(name: string, body: TestBody): Promise<void>;
}

export interface CollectedTest {
  readonly name: string;
  /** Rejects if the test fails. */
  run(): Promise<void>;
}

let collected: CollectedTest[] = [];

/** Returns the tests that were declared since the last call. */
export function takeTests(): readonly CollectedTest[] {
  const tests = collected;
  collected = [];
  return tests;
}

/** Declares a test, with or without options. */
export function test(name: string, ...rest: readonly unknown[]): void {
  const body = rest.find((one): one is TestBody => typeof one === "function");
  const options = rest.find((one): one is { readonly skip?: unknown } => typeof one === "object");
  if (body === undefined || (options?.skip !== undefined && options.skip !== false)) return;
  collected.push({ name, run: () => runBody(body) });
}

/** The other name of `test`. */
export function it(name: string, ...rest: readonly unknown[]): void {
  test(name, ...rest);
}

/** Declares the tests of a group. */
export function describe(_name: string, body: () => void): void {
  body();
}

async function runBody(body: TestBody): Promise<void> {
  const mock = createMockTracker();
  const cleanUps: (() => unknown)[] = [() => mock.reset()];
  const context: CollectedContext = {
    mock,
    after: (clean) => void cleanUps.push(clean),
    test: async (_name, inner) => runBody(inner),
  };
  try {
    await body(context);
  } finally {
    for (const clean of cleanUps.toReversed()) await clean();
  }
}

/** Returns a tracker of its own, as each test of `node:test` has. An import would be resolved to this file. */
function createMockTracker(): MockTracker {
  const { mock: shared } = process.getBuiltinModule("node:test");
  return new (shared.constructor as new () => MockTracker)();
}

import { checkOptions, type OptionKinds } from "../../../../util/json/check-options.ts";

/** Registers a test: `test` of `node:test`, Vitest or Jest. */
export type RegisterTest = (name: string, run: () => Promise<void>) => unknown;

/** How the tests of a contract are registered. */
export interface ContractOptions {
  /** Registers the tests. Default: `test` of `node:test`. */
  readonly test?: RegisterTest;
  /** What is tested, for the names of the tests. */
  readonly name?: string;
  /** The number of random cases of each test that has them. Default: 40. */
  readonly runs?: number;
}

/** What is closed at the end of a test: by its `Symbol.asyncDispose` if it has one, which may remove files and keys too, else by `close`. */
export interface Closeable extends Partial<AsyncDisposable> {
  close(): Promise<void>;
}

/** What a case of a contract gets. */
export interface World<Opened> {
  readonly open: Opened;
  readonly runs: number;
}

/** The cases of a contract, by the sentence that they check. */
export type Cases<Opened> = Readonly<Record<string, (world: World<Opened>) => Promise<void>>>;

const RUNS = 40;

const KINDS: OptionKinds<ContractOptions> = { test: "a function", name: "a text", runs: "a positive number" };

/** Registers the cases of a contract as tests. */
export function registerCases<Opened>(cases: Cases<Opened>, open: Opened, options: ContractOptions): void {
  checkOptions("the kit", options, KINDS);
  const { test = nodeTest(), name, runs = RUNS } = options;
  for (const [sentence, run] of Object.entries(cases))
    test(name === undefined ? sentence : `${name}: ${sentence}`, () => run({ open, runs }));
}

function nodeTest(): RegisterTest {
  const { test } = process.getBuiltinModule("node:test");
  return (name, run) => test(name, run);
}

/** Closes a store under test, and what belongs to it. */
export async function dispose(store: Closeable): Promise<void> {
  const own = store[Symbol.asyncDispose]?.bind(store);
  await (own === undefined ? store.close() : own());
}

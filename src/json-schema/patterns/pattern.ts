import type { Context, Script } from "node:vm";
import type * as Vm from "node:vm";
import { attempt } from "../../util/async/attempt.ts";
import type { Pattern } from "../shared/types.ts";

/** The patterns of one schema, which may be untrusted: none can hang the process. */
export type Patterns = ReturnType<typeof createPatterns>;

const MAX_SOURCE = 4096;
const LIMITS = { checkMs: 500, patternsMs: 100 };

/**
 * Simple patterns run directly. A check with others runs under a time limit as a whole; if that is not enough, it runs
 * again with a limit for its patterns alone: a text that is not matched in time counts as no match.
 */
export function createPatterns({ checkMs, patternsMs } = LIMITS) {
  let isAnySlow = false;
  /** Undefined while the check as a whole has a limit. */
  let leftMs: number | undefined = patternsMs;
  const testSlow = (expression: RegExp, text: string): boolean => {
    if (leftMs === undefined) return expression.test(text);
    if (leftMs <= 0) return false;
    const startedAt = performance.now();
    const tested = runInTime(() => expression.test(text), Math.ceil(leftMs));
    leftMs -= performance.now() - startedAt;
    return tested?.value ?? false;
  };
  return {
    /** Returns the pattern, or the reason why the schema is unusable. */
    compile(source: string): Pattern | { readonly unusable: string } {
      if (source.length > MAX_SOURCE)
        return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
      // Patterns are Unicode ones; many escape too much, and are only valid without the flag.
      const expression = attempt(() => new RegExp(source, "u")) ?? attempt(() => new RegExp(source));
      if (expression === undefined)
        return { unusable: `the pattern /${source}/ is not a regular expression` };
      const longest = longestDirect(source);
      if (longest < 0 && vm() === undefined)
        return { unusable: `the pattern /${source}/ may take too long for a runtime without node:vm` };
      isAnySlow ||= longest < 0;
      return {
        test: (text) => (text.length <= longest ? expression.test(text) : testSlow(expression, text)),
      };
    },
    /** Runs a check whose patterns share a time limit. `check` may run twice. */
    limit<T>(check: () => T): T {
      leftMs = undefined;
      const done = isAnySlow ? runInTime(check, checkMs) : undefined;
      leftMs = patternsMs;
      return done === undefined ? check() : done.value;
    },
  };
}

/** Escapes and classes, each of which matches one character. */
const ATOMS = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gsu;
/** Few fixed repetitions, as in `{8}`, are no loop. */
const LOOP = /[*+]|\{\d*,|\{\d{2,}\}/g;
const MAX_OPTIONAL = 8;
/** The longest text that is matched in a few milliseconds, by the power of its length that the time grows with. */
const LONGEST = [Infinity, Infinity, 2000, 150, 50];

/** Returns the longest text to match directly. Without a repeated group or a back reference, the time is a power of the length: one for each loop. */
export function longestDirect(source: string): number {
  const shape = source.replace(ATOMS, "x");
  const isSimple = !/\)[*+{]|\\/.test(shape) && shape.split(/[?|]/).length <= MAX_OPTIONAL;
  if (!isSimple) return -1;
  const loops = shape.match(LOOP)?.length ?? 0;
  const isAnchored = source.startsWith("^") && !source.includes("|");
  return LONGEST[isAnchored || loops === 0 ? loops : loops + 1] ?? -1;
}

const vm = (): typeof Vm | undefined => process.getBuiltinModule("node:vm");

/** Created at first use, and then shared: a context for each run would cost ten times as much. */
let runner: { readonly context: Context; readonly script: Script } | undefined;

/** Runs work in a script, the only way to interrupt a regular expression; returns undefined on a timeout. Costs about 0.1 ms. */
export function runInTime<T>(work: () => T, timeout: number): { readonly value: T } | undefined {
  const { createContext, Script } = vm() ?? {};
  if (createContext === undefined || Script === undefined) return undefined;
  runner ??= { context: createContext({}), script: new Script("run()") };
  let done: { readonly value: T } | undefined;
  runner.context["run"] = () => {
    done = { value: work() };
  };
  try {
    runner.script.runInContext(runner.context, { timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    runner.context["run"] = undefined;
  }
  return done;
}

/** The error belongs to the script's context, so `instanceof` does not recognise it. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

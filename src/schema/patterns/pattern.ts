import type { Context, Script } from "node:vm";
import type { Pattern } from "../shared/types.ts";

/** The patterns of one schema. They share a time limit per check, however many there are and whatever they match. */
export interface Patterns {
  /** Returns the pattern, or the reason why the schema is unusable. */
  compile(source: string): Pattern | { readonly unusable: string };
  /** Starts the time limit of a check. */
  restart(): void;
}

const MAX_SOURCE = 4096;
const TIMEOUT_MS = 250;

/** Simple patterns run directly, all others under the time limit; a text that is not matched in time counts as no match. */
export function createPatterns(): Patterns {
  let leftMs = TIMEOUT_MS;
  const testInTime = (expression: RegExp, text: string): boolean => {
    if (leftMs <= 0) return false;
    const startedAt = performance.now();
    const isMatch = runInTime(() => expression.test(text), Math.ceil(leftMs));
    leftMs -= performance.now() - startedAt;
    return isMatch;
  };
  return {
    compile(source) {
      if (source.length > MAX_SOURCE)
        return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
      const expression = toRegExp(source, "u") ?? toRegExp(source, "");
      if (expression === undefined)
        return { unusable: `the pattern /${source}/ is not a regular expression` };
      const longest = longestDirect(source);
      return {
        test: (text) => (text.length <= longest ? expression.test(text) : testInTime(expression, text)),
      };
    },
    restart() {
      leftMs = TIMEOUT_MS;
    },
  };
}

/** Patterns are Unicode ones; many escape too much, and are only valid without the flag. */
function toRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Escapes and classes, each of which matches one character. */
const ATOMS = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gsu;
const LOOP = /[*+]|\{\d*,/g;
const MAX_OPTIONAL = 8;
/** The longest text that is matched in a few milliseconds, by the power of its length that the time grows with. */
const LONGEST = [Infinity, Infinity, 2000, 150, 50];

/** Without a repeated group or a back reference, the time grows at worst with a power of the length: one for each loop. */
function longestDirect(source: string): number {
  const shape = source.replace(ATOMS, "x");
  const isSimple = !/\)[*+{]|\\/.test(shape) && shape.split(/[?|]/).length <= MAX_OPTIONAL;
  if (!isSimple) return -1;
  const loops = shape.match(LOOP)?.length ?? 0;
  const isAnchored = source.startsWith("^") && !source.includes("|");
  return LONGEST[isAnchored || loops === 0 ? loops : loops + 1] ?? -1;
}

/** Made at first use, and then shared: an own context for each test costs ten times as much. */
let runner: { readonly context: Context; readonly script: Script } | undefined;

/** A script with a timeout is the only way to interrupt a regular expression. Costs about 0.1 ms. */
function runInTime(test: () => boolean, timeout: number): boolean {
  const { createContext, Script } = process.getBuiltinModule("node:vm");
  runner ??= { context: createContext({}), script: new Script("test()") };
  runner.context["test"] = test;
  try {
    return runner.script.runInContext(runner.context, { timeout }) === true;
  } catch {
    return false;
  } finally {
    runner.context["test"] = undefined;
  }
}

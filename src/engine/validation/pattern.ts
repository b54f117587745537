import { createRequire } from "node:module";
import { runInNewContext } from "node:vm";
import type * as CostModule from "./pattern-cost.ts";
import type { PatternTest } from "./rule.ts";

/** A pattern of a stranger's schema, ready to test in bounded time; or the reason why it must not be run. */
export function compilePattern(source: string): PatternTest | { readonly unusable: string } {
  if (source.length > MAX_SOURCE) return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
  const expression = toRegExp(source, "u") ?? toRegExp(source, "");
  if (expression === undefined) return { unusable: `the pattern /${source}/ is not a regular expression` };
  const shape = source.replace(ATOMS, "x");
  if (isSimple(shape)) return shape.search(LOOP) >= 0 ? lazilyBounded(source, expression) : expression;
  const cost = loadCost().costOf(source);
  return "unbounded" in cost
    ? { unusable: `the pattern /${source}/ ${cost.unbounded}` }
    : bounded(expression, cost);
}

const MAX_SOURCE = 4096;
/** Escapes and classes, each of which stands for one character. */
const ATOMS = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gsu;
const LOOP = /[*+]|\{\d*,/g;
/** The longest text, by power, that is matched in a few milliseconds at worst. */
const SHORT = 50;
const LONGEST: Readonly<Record<number, number>> = { 0: Infinity, 1: Infinity, 2: 2000, 3: 150, 4: SHORT };
const TIMEOUT_MS = 250;

/** Without a repeated group nothing multiplies, and with few loops a short text needs no judging. */
function isSimple(shape: string): boolean {
  const loops = shape.match(LOOP)?.length ?? 0;
  return loops <= 3 && shape.split(/[?|]/).length <= 8 && !/\)[*+{]|\\/.test(shape);
}

/** Judging a pattern costs more than all else in a first call, so it waits for a text that is long enough to matter. */
function lazilyBounded(source: string, expression: RegExp): PatternTest {
  let full: PatternTest | undefined;
  const judge = (): PatternTest => {
    const cost = loadCost().costOf(source);
    return bounded(expression, "unbounded" in cost ? { power: Infinity } : cost);
  };
  return {
    test: (text) => {
      if (text.length <= SHORT) return expression.test(text);
      full ??= judge();
      return full.test(text);
    },
  };
}

function bounded(expression: RegExp, { power }: { readonly power: number }): PatternTest {
  const longest = LONGEST[power] ?? 0;
  if (longest === Infinity) return expression;
  return { test: (text) => (text.length <= longest ? expression.test(text) : testInTime(expression, text)) };
}

/** Patterns are Unicode ones; those that escape too much, as many do, are only valid without the flag. */
function toRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Costs about a millisecond, and is the only way to interrupt an expression. No answer in time counts as no match. */
function testInTime(expression: RegExp, text: string): boolean {
  try {
    return runInNewContext("expression.test(text)", { expression, text }, { timeout: TIMEOUT_MS }) === true;
  } catch {
    return false;
  }
}

/** Few patterns need to be judged. Sources end in .ts, what is built in .js. */
function loadCost(): typeof CostModule {
  const require = createRequire(import.meta.url);
  return require(`./pattern-cost${import.meta.url.slice(-3)}`) as typeof CostModule;
}

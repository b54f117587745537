import { runInNewContext } from "node:vm";
import { costOf } from "./pattern-cost.ts";
import type { PatternTest } from "./rule.ts";

/** A pattern of a stranger's schema, ready to test in bounded time; or the reason why it must not be run. */
export function compilePattern(source: string): PatternTest | { readonly unusable: string } {
  if (source.length > MAX_SOURCE) return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
  const expression = toRegExp(source, "u") ?? toRegExp(source, "");
  if (expression === undefined) return { unusable: `the pattern /${source}/ is not a regular expression` };
  if (!LOOP.test(source) && source.split("?").length <= FEW) return expression;
  const cost = costOf(source);
  if ("unbounded" in cost) return { unusable: `the pattern /${source}/ ${cost.unbounded}` };
  if (cost.power <= 1) return expression;
  const longest = LONGEST[cost.power] ?? 0;
  return { test: (text) => (text.length <= longest ? expression.test(text) : testInTime(expression, text)) };
}

const MAX_SOURCE = 4096;
/** What has no loop, no repeated group and few optional parts takes time in proportion to the text. */
const LOOP = /[*+]|\{\d*,|\)\{|\\[1-9k]/;
const FEW = 8;
/** The longest text, by power, that is matched in a few milliseconds at worst. */
const LONGEST: Readonly<Record<number, number>> = { 2: 2000, 3: 150, 4: 50 };
const TIMEOUT_MS = 250;

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

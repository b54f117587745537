import { loadBeside } from "../../util/load-beside.ts";
import type * as CostModule from "./pattern-cost.ts";

/** A pattern of a stranger's schema that is tested in bounded time. */
export interface Pattern {
  readonly expression: RegExp;
  /** A text up to this length is matched in a few milliseconds at worst. */
  quickUpTo: number;
  /** Judging a pattern costs more than all else in a first call, so it waits for a text that is long enough to matter. */
  isJudged: boolean;
}

/** Whether a text matches; one that takes too long does not. */
export function matches(pattern: Pattern, text: string): boolean {
  if (text.length <= pattern.quickUpTo) return pattern.expression.test(text);
  if (pattern.isJudged) return testInTime(pattern.expression, text);
  const cost = loadCost().costOf(pattern.expression.source);
  pattern.quickUpTo = "unbounded" in cost ? 0 : longestFor(cost.power);
  pattern.isJudged = true;
  return matches(pattern, text);
}

/** A pattern that may be run; or the reason why it must not be. */
export function compilePattern(source: string): Pattern | { readonly unusable: string } {
  if (source.length > MAX_SOURCE) return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
  const expression = toRegExp(source, "u") ?? toRegExp(source, "");
  if (expression === undefined) return { unusable: `the pattern /${source}/ is not a regular expression` };
  const shape = source.replace(ATOMS, "x");
  if (isSimple(shape)) {
    const hasLoop = shape.search(LOOP) >= 0;
    return { expression, quickUpTo: hasLoop ? SHORT : Infinity, isJudged: !hasLoop };
  }
  const cost = loadCost().costOf(source);
  if ("unbounded" in cost) return { unusable: `the pattern /${source}/ ${cost.unbounded}` };
  return { expression, quickUpTo: longestFor(cost.power), isJudged: true };
}

const MAX_SOURCE = 4096;
/** Escapes and classes, each of which stands for one character. */
const ATOMS = /\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/gsu;
const LOOP = /[*+]|\{\d*,/g;
const SHORT = 50;
const TIMEOUT_MS = 250;

function longestFor(power: number): number {
  if (power <= 1) return Infinity;
  return [2000, 150, SHORT][power - 2] ?? 0;
}

/** Without a repeated group nothing multiplies, and with few loops a short text needs no judging. */
function isSimple(shape: string): boolean {
  const loops = shape.match(LOOP)?.length ?? 0;
  return loops <= 3 && shape.split(/[?|]/).length <= 8 && !/\)[*+{]|\\/.test(shape);
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
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  try {
    return runInNewContext("expression.test(text)", { expression, text }, { timeout: TIMEOUT_MS }) === true;
  } catch {
    return false;
  }
}

/** Few patterns need to be judged. */
function loadCost(): typeof CostModule {
  return loadBeside(import.meta.url, "./pattern-cost") as typeof CostModule;
}

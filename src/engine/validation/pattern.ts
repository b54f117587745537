import type { PatternTest } from "./rule.ts";

/** A pattern of a stranger's schema, ready to test; or the reason why it must not be run. */
export function compilePattern(source: string): PatternTest | { readonly unusable: string } {
  if (source.length > MAX_SOURCE) return { unusable: `a pattern is longer than ${MAX_SOURCE} characters` };
  const expression = toRegExp(source, "u") ?? toRegExp(source, "");
  if (expression === undefined) return { unusable: `the pattern /${source}/ is not a regular expression` };
  return expression;
}

const MAX_SOURCE = 4096;

/** Patterns are Unicode ones; those that escape too much, as many do, are only valid without the flag. */
function toRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

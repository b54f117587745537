import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { longestDirect } from "./pattern.ts";

const MAX_SOURCE = 1024;
/** The shortest text that a pattern must be able to read in a few milliseconds. */
const LEAST = 2000;
/** A character that is repeated so many times adds nothing to choose. */
const FIXED = /(?<!\))\{\d{1,4}\}/g;

/** Returns patterns of secrets, by name, as regular expressions. Throws, naming the place, if one is invalid, takes too long or matches the empty text. */
export function compileSecretPatterns(
  patterns: Readonly<Record<string, string>>,
  place = "secretPatterns",
): readonly RegExp[] {
  return Object.entries(patterns).map(([name, source]) => {
    const expression = attempt(() => new RegExp(source, "gu"));
    const fault = faultOf(source, expression);
    if (expression !== undefined && fault === undefined) return expression;
    throw new ToolError("INVALID_INPUT", `${place}.${name}: the pattern /${source}/ ${fault}`, {
      hint: "write a pattern with one repetition at most, such as acme_[0-9a-f]{32} or acme_[0-9A-Za-z]{20,}",
    });
  });
}

function faultOf(source: string, expression: RegExp | undefined): string | undefined {
  if (expression === undefined) return "is not a regular expression";
  if (source.length > MAX_SOURCE) return `is longer than ${MAX_SOURCE} characters`;
  if (/^\^|(?<!\\)\$$/.test(source)) return "can only match a whole text: remove ^ and $";
  if (expression.test("")) return "matches the empty text";
  if (longestDirect(source.replaceAll(FIXED, "")) < LEAST) return "could take too long on some text";
  return undefined;
}

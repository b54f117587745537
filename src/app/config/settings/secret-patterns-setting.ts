import { compileSecretPatterns } from "../../../json-schema/patterns/secret-patterns.ts";
import { record, string } from "../../../schema/define/schema.ts";
import { merge, parsed } from "./setting.ts";

export const SECRET_PATTERNS = parsed({
  summary: "regular expressions of further secrets to mask, by name; see docs/secrets.md",
  fallback: {},
  schema: record(string(undefined, { min: 1 })),
  parse: checkSecretPatterns,
  combine: merge,
});

/** Returns the patterns as they are. Throws, naming the place, if one is invalid. */
function checkSecretPatterns(
  patterns: Readonly<Record<string, string>>,
  place: string,
): Readonly<Record<string, string>> {
  compileSecretPatterns(patterns, place);
  return patterns;
}

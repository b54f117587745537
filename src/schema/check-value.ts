import type { Json } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { coerce } from "./coerce.ts";
import type { Checked, ValidatorOptions } from "./checked.ts";
import type { Checker } from "./problems/checker.ts";
import type { Finding } from "./problems/finding.ts";
import { prepareChecker } from "./prepare-checker.ts";
import type { JsonSchema } from "../core/json.ts";

const MAX_PROBLEMS = 20;
/** Each round can reveal what JSON text held. */
const MAX_ROUNDS = 5;

/** Compiles a schema into the function that checks, fills and mends a value in place. */
export function compile(schema: JsonSchema, options: ValidatorOptions): (value: Json) => Checked {
  const checker = prepareChecker(schema, options);
  const { unusable } = checker;
  if (unusable !== undefined) return () => ({ ok: false, unusable, problems: [] });
  return (value) => checkValue(checker, value, options);
}

function checkValue(checker: Checker, value: Json, options: ValidatorOptions): Checked {
  try {
    checker.fill?.(value);
    if (checker.check(value)) return { ok: true, value };
    return options.coerce === false ? toProblems(checker.explain(value)) : mend(checker, value);
  } catch (error) {
    // How deep a recursive schema goes is up to the value, which a stranger chooses.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [TOO_MUCH] };
  }
}

const TOO_MUCH: Problem = {
  kind: "value",
  path: "",
  expected: "less nesting",
  got: "a value too deep or too large to be checked",
};

function mend(checker: Checker, given: Json): Checked {
  let value = given;
  const coerced = new Set<string>();
  let findings = checker.explain(value);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const mended = coerce(value, findings);
    if (mended.paths.length === 0) break;
    value = mended.value;
    for (const path of mended.paths) coerced.add(path);
    checker.fill?.(value);
    if (checker.check(value)) return { ok: true, value, coerced: [...coerced] };
    findings = checker.explain(value);
  }
  return toProblems(findings);
}

function toProblems(findings: readonly Finding[]): Checked {
  const problems = findings.slice(0, MAX_PROBLEMS).map(({ problem }) => problem);
  const more = findings.length - problems.length;
  return more > 0 ? { ok: false, problems, more } : { ok: false, problems };
}

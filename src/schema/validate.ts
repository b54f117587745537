import type { Json, JsonSchema } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { coerce } from "./coerce.ts";
import { compileSchema, loadFull } from "../json-schema/compile-schema.ts";
import { loadFormats, loadedFormats } from "../json-schema/patterns/formats.ts";
import type { Checked, Checker, Finding, Validator, ValidatorOptions } from "../json-schema/shared/types.ts";

const NO_OPTIONS: ValidatorOptions = {};
const MAX_PROBLEMS = 20;
/** Each round can reveal values inside JSON text. */
const MAX_ROUNDS = 5;

/** Creates a validator at almost no cost: the schema is compiled at the first check. */
export function createValidator(schema: JsonSchema, options: ValidatorOptions = NO_OPTIONS): Validator {
  return new LazyValidator(schema, options);
}

class LazyValidator implements Validator {
  readonly #schema: JsonSchema;
  readonly #options: ValidatorOptions;
  #checker: Checker | undefined;

  constructor(schema: JsonSchema, options: ValidatorOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  prepare(): Promise<void> | undefined {
    this.#checker ??= compileSchema(this.#schema, this.#options);
    if (this.#checker !== undefined) return undefined;
    return loadedFormats() === undefined ? loadFormats().then(() => this.prepare()) : loadFull();
  }

  check(value: Json): Checked {
    this.#checker ??= compileSchema(this.#schema, this.#options);
    if (this.#checker === undefined) return { ok: false, unusable: UNPREPARED, problems: [] };
    const { unusable } = this.#checker;
    if (unusable !== undefined) return { ok: false, unusable, problems: [] };
    return checkValue(this.#checker, value, this.#options.coerce !== false);
  }
}

const UNPREPARED = "the validator that it needs is not loaded";

function checkValue(checker: Checker, value: Json, mayCoerce: boolean): Checked {
  try {
    checker.fill?.(value);
    if (checker.check(value)) return { ok: true, value };
    return mayCoerce ? coerceAndCheck(checker, value) : toProblems(checker.explain(value));
  } catch (error) {
    // The depth to which a recursive schema is followed depends on the value, which is untrusted.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [TOO_DEEP] };
  }
}

const TOO_DEEP: Problem = {
  kind: "value",
  path: "",
  expected: "less nesting",
  got: "a value too deep or too large to be checked",
};

function coerceAndCheck(checker: Checker, given: Json): Checked {
  let value = given;
  const paths = new Set<string>();
  let findings = checker.explain(value);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const coerced = coerce(value, findings);
    if (coerced.paths.length === 0) break;
    value = coerced.value;
    for (const path of coerced.paths) paths.add(path);
    checker.fill?.(value);
    if (checker.check(value)) return { ok: true, value, coerced: [...paths] };
    findings = checker.explain(value);
  }
  return toProblems(findings);
}

function toProblems(findings: readonly Finding[]): Checked {
  const problems = findings.slice(0, MAX_PROBLEMS).map(({ problem }) => problem);
  const more = findings.length - problems.length;
  return more > 0 ? { ok: false, problems, more } : { ok: false, problems };
}

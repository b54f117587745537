import type { Json, JsonSchema } from "../core/json.ts";
import { loadBeside } from "../util/load-beside.ts";
import type * as checkValue from "./check-value.ts";
import type { Checked, ValidatorOptions } from "./checked.ts";
import type * as describing from "./problems/describe-problems.ts";

export interface Validator {
  /** Never throws. Fills defaults and mends in place: `value` must be the caller's own copy. */
  check(value: Json): Checked;
}

const NO_OPTIONS: ValidatorOptions = {};

/** Makes a validator at next to no cost: nothing is compiled, and no validator loaded, before the first check. */
export function createValidator(schema: JsonSchema, options: ValidatorOptions = NO_OPTIONS): Validator {
  return new LazyValidator(schema, options);
}

/** All problems of an input as one message that a model can act on. */
export const describeProblems: typeof describing.describeProblems = (...given) =>
  (loadBeside(import.meta.url, "./problems/describe-problems") as typeof describing).describeProblems(
    ...given,
  );

class LazyValidator implements Validator {
  readonly #schema: JsonSchema;
  readonly #options: ValidatorOptions;
  #check: ((value: Json) => Checked) | undefined;

  constructor(schema: JsonSchema, options: ValidatorOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  check(value: Json): Checked {
    this.#check ??= loadCompile()(this.#schema, this.#options);
    return this.#check(value);
  }
}

function loadCompile(): typeof checkValue.compile {
  return (loadBeside(import.meta.url, "./check-value") as typeof checkValue).compile;
}

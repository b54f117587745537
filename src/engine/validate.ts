import type { Json, JsonObject, JsonSchema } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { coerce } from "./coerce.ts";
import type { Checker } from "./validation/checker.ts";
import { prepareChecker } from "./validation/prepare-checker.ts";
import type { Finding } from "./validation/finding.ts";

/** What became of an input: a value that fits, every problem at once, or a schema that cannot be used. */
export type Checked =
  | { readonly ok: true; readonly value: Json; readonly coerced?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly more?: number }
  | { readonly ok: false; readonly unusable: string; readonly problems: readonly [] };

export interface Validator {
  /** Never throws. Fills defaults and mends in place: `value` must be the caller's own copy. */
  check(value: Json): Checked;
}

export interface ValidatorOptions {
  /** Mend what can be mended for certain; true. */
  readonly coerce?: boolean;
  /** Fill defaults; true. */
  readonly defaults?: boolean;
  /** Assert `format`; true. */
  readonly formats?: boolean;
  /** Other schemas that references may name, by their address; nothing is ever loaded from a network. */
  readonly documents?: JsonObject;
}

/** Makes a validator at next to no cost: nothing is compiled, and no library loaded, before the first check. */
export function createValidator(schema: JsonSchema, options: ValidatorOptions = NO_OPTIONS): Validator {
  return new LazyValidator(schema, options);
}

const NO_OPTIONS: ValidatorOptions = {};
const MAX_PROBLEMS = 20;
/** Each round can reveal what JSON text held. */
const MAX_ROUNDS = 5;

class LazyValidator implements Validator {
  readonly #schema: JsonSchema;
  readonly #options: ValidatorOptions;
  #checker: Checker | undefined;

  constructor(schema: JsonSchema, options: ValidatorOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  check(value: Json): Checked {
    this.#checker ??= prepareChecker(this.#schema, this.#options);
    const checker = this.#checker;
    try {
      if (checker.unusable !== undefined) return { ok: false, unusable: checker.unusable, problems: [] };
      checker.fill?.(value);
      if (checker.check(value)) return { ok: true, value };
      return this.#options.coerce === false ? toProblems(checker.explain(value)) : mend(checker, value);
    } catch (error) {
      // How deep a recursive schema goes is up to the value, which a stranger chooses.
      if (!(error instanceof RangeError)) throw error;
      return { ok: false, problems: [TOO_MUCH] };
    }
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

/** All problems of an input as one message that a model can act on: where, what was expected, what came, what was probably meant. */
export function describeProblems(problems: readonly Problem[], more = 0): string {
  const lines = problems.map(describeProblem);
  if (more > 0) lines.push(`… and ${more} more`);
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return `The input does not fit: ${only}`;
  return `The input does not fit, ${problems.length + more} problems:\n- ${lines.join("\n- ")}`;
}

function describeProblem(problem: Problem): string {
  const { kind, path, expected, got, near = [], schema } = problem;
  const where = path === "" ? "the input" : path;
  const meant =
    near.length === 0 ? "" : `; did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  // A missing or mistyped value is best mended by seeing what is asked for; an unknown name by the names there are.
  const part = schema === undefined ? "" : `; schema: ${JSON.stringify(schema)}`;
  switch (kind) {
    case "missing":
      return `${where} is missing: expected ${expected}${part}`;
    case "unknown":
      return `${where} is not a parameter: expected ${expected}${meant}`;
    default:
      return `${where}: expected ${expected}, got ${got}${meant}${part}`;
  }
}

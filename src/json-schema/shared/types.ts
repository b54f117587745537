import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import type { Problem } from "../../core/result.ts";

/** The outcome of a check: a value that fits, every problem at once, or a schema that cannot be used. */
export type Checked =
  | { readonly ok: true; readonly value: Json; readonly coerced?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly more?: number }
  | { readonly ok: false; readonly unusable: string; readonly problems: readonly [] };

export interface Validator {
  /** Loads what the schema needs: a promise if that is not loaded yet, without which `check` finds the schema unusable. */
  prepare(): Promise<void> | undefined;
  /** Never throws. Fills defaults and coerces in place: `value` must be the caller's own copy. */
  check(value: Json): Checked;
}

export interface ValidatorOptions {
  /** Coerce values if the result is certain; default: true. */
  readonly coerce?: boolean;
  /** Fill defaults; default: true. */
  readonly defaults?: boolean;
  /** Assert `format`; default: true. */
  readonly formats?: boolean;
  /** Other schemas that references may name, by address; nothing is ever loaded from a network. */
  readonly documents?: JsonObject;
}

/** A problem together with what coercion needs, so that no code reads message text to decide. */
export interface Finding {
  readonly problem: Problem;
  /** The accepted types as bits; 0 if the type is not the problem. */
  readonly types: number;
  /** The accepted values, if the schema lists them. */
  readonly allowed?: readonly Json[];
  /** The value is a declared property that is not required. */
  optional?: boolean;
}

/** Collects findings up to a limit and counts the rest. */
export interface Report {
  readonly findings: Finding[];
  total: number;
}

/** Fills absent values from the defaults of a schema, in place. Safe on any value, whether it fits the schema or not. */
export type Fill = (value: Json) => void;

/** A compiled schema. If it is unusable, `check` returns false and `explain` nothing. */
export interface Checker {
  readonly unusable: string | undefined;
  readonly fill: Fill | undefined;
  readonly check: (value: Json) => boolean;
  /** Returns every finding; empty only for a value that fits. */
  readonly explain: (value: Json) => readonly Finding[];
}

/** One compiled part of a schema: a fast check, and a slow one that reports every problem. */
export interface Rule {
  readonly check: (value: Json) => boolean;
  /** Adds nothing for a value that `check` accepts. */
  readonly explain: (value: Json, path: string, report: Report) => void;
}

/** A regular expression that is tested in bounded time. */
export interface Pattern {
  test(text: string): boolean;
}

/** What the parts of one compilation share. */
export interface Compilation {
  /** Compiles a schema for a part of the value: a property, an item. */
  inner(schema: JsonSchema): Rule;
  /** Compiles a schema for the same value: a branch, a conjunct. */
  here(schema: JsonSchema, region: number): Rule;
  resolve(reference: string): JsonSchema | undefined;
  pattern(source: string): Pattern;
  /** Records a keyword that needs more than what is loaded. */
  leave(keyword: string): void;
  readonly assertFormats: boolean;
}

/** The edition of JSON Schema that a schema is read as. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

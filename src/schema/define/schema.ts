import type { Json, JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";

declare const TYPE: unique symbol;
declare const GIVEN: unique symbol;
/** Registered, as are the other marks of values: two copies of the package in one program know each other's. */
const OPTIONAL: unique symbol = Symbol.for("toolwright.1.optional");

/** A plain JSON Schema with the types of the values it accepts, for the compiler only: after and before defaults are filled in. */
export type Schema<T, Given = unknown> = JsonObject & { readonly [TYPE]?: T; readonly [GIVEN]?: Given };
type Optional<T, Given> = Schema<T | undefined, Given | undefined> & { readonly [OPTIONAL]: "absent" };
type Defaulted<T, Given> = Schema<T, Given> & { readonly [OPTIONAL]: "filled" };

/** The type of the values that a schema of this builder accepts. */
export type Infer<S> = S extends { readonly [TYPE]?: infer T } ? T : never;

/** The type of the values before defaults are filled in. */
export type InferGiven<S> = S extends { readonly [GIVEN]?: infer G }
  ? unknown extends G
    ? Infer<S>
    : G
  : never;

/** The same type with its members, not its name, in hovers and errors. */
export type Flat<T> = { [K in keyof T]: T[K] } & {};

export type Fields = Readonly<Record<string, Schema<unknown>>>;
type AbsentKeys<F> = { [K in keyof F]: F[K] extends Optional<unknown, unknown> ? K : never }[keyof F];
type OpenKeys<F> = { [K in keyof F]: F[K] extends { readonly [OPTIONAL]: string } ? K : never }[keyof F];
type GivenShape<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OpenKeys<F>>]: InferGiven<F[K]> } & {
    readonly [K in OpenKeys<F>]?: Exclude<InferGiven<F[K]>, undefined>;
  }
>;
type Shape<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, AbsentKeys<F>>]: Infer<F[K]> } & {
    readonly [K in AbsentKeys<F>]?: Exclude<Infer<F[K]>, undefined>;
  }
>;

/** Conditions that a text must meet. */
export interface TextRules {
  readonly min?: number;
  readonly max?: number;
  /** A regular expression that must match somewhere in the text. */
  readonly pattern?: string;
  /** What messages say instead of the pattern; editors read it as `patternErrorMessage`. */
  readonly expected?: string;
  /** A format of JSON Schema, such as `date` or `uri`. */
  readonly format?: string;
}
/** The limits of a number, or of the length of a list; both are included. */
export interface NumberRules {
  readonly min?: number;
  readonly max?: number;
}

/** Accepts texts. */
export function string(description?: string, rules: TextRules = {}): Schema<string> {
  const { min, max, pattern, expected, format } = rules;
  return compact({
    type: "string",
    description,
    minLength: min,
    maxLength: max,
    pattern,
    patternErrorMessage: expected,
    format,
  });
}

/** Accepts whole numbers. */
export function integer(description?: string, rules: NumberRules = {}): Schema<number> {
  return compact({ type: "integer", description, minimum: rules.min, maximum: rules.max });
}

/** Accepts numbers. */
export function number(description?: string, rules: NumberRules = {}): Schema<number> {
  return compact({ type: "number", description, minimum: rules.min, maximum: rules.max });
}

/** Accepts true and false. */
export function boolean(description?: string): Schema<boolean> {
  return compact({ type: "boolean", description });
}

/** Accepts one of the given texts, or a value that fits one of the given schemas. */
export function oneOf<const V extends string | Schema<unknown>>(
  choices: readonly V[],
  description?: string,
): Schema<V extends string ? V : Infer<V>> {
  const words = choices.every((choice) => typeof choice === "string");
  return compact(words ? { type: "string", description, enum: choices } : { description, anyOf: choices });
}

/** Accepts lists of such items. */
export function list<T, Given = unknown>(
  item: Schema<T, Given>,
  description?: string,
  rules: NumberRules = {},
): Schema<readonly T[], unknown extends Given ? unknown : readonly Given[]> {
  return compact({ type: "array", description, items: item, minItems: rules.min, maxItems: rules.max });
}

/** Accepts any JSON value. */
export function anyJson(description?: string): Schema<Json> {
  return compact({ description });
}

export function nullable<T>(schema: Schema<T>, description?: string): Schema<T | null> {
  const none: Schema<null> = { type: "null" };
  return oneOf([schema, none], description);
}

/** Accepts objects with any keys and such values. */
export function record<T>(value: Schema<T>, description?: string): Schema<Readonly<Record<string, T>>> {
  return compact({ type: "object", description, additionalProperties: value });
}

/** Accepts an object with exactly these fields; all are required except those marked `optional`. */
export function object<F extends Fields>(fields: F, description?: string): Schema<Shape<F>, GivenShape<F>> {
  const required = Object.keys(fields).filter((key) => !(OPTIONAL in (fields[key] as object)));
  return compact({
    type: "object",
    description,
    properties: fields,
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  });
}

/** Marks a field as optional; a default is filled before the tool runs. */
export function optional<T, Given = unknown>(schema: Schema<T, Given>): Optional<T, Given>;
export function optional<T, Given = unknown>(
  schema: Schema<T, Given>,
  fallback: T & Json,
): Defaulted<T, Given>;
export function optional(schema: JsonObject, fallback?: Json): JsonObject {
  const plain = fallback === undefined ? schema : { ...schema, default: fallback };
  return Object.defineProperty({ ...plain }, OPTIONAL, { value: true });
}

function compact(schema: Readonly<Record<string, Json | undefined>>): JsonObject {
  return defined(schema) as JsonObject;
}

import type { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import type { ToolOutput } from "../../core/tool.ts";
import type { Flat, Infer, InferGiven } from "./schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** The builder's schema, a Standard Schema library's, plain JSON Schema, or that of TypeBox. */
export type InputSchema = JsonObject | StandardSchema | TypeBoxSchema;

/** An object of TypeBox 1, which is JSON Schema with members for the compiler. */
export interface TypeBoxSchema {
  readonly "~kind": "Object";
  readonly type: "object";
  readonly properties: object;
}

/** The builder's schema, a Standard Schema library's, plain JSON Schema, or that of TypeBox. */
export type OutputSchema = JsonSchema | StandardSchema | TypeBoxSchema;

/** The input type of `run` for a schema; any object if the schema is only known at run time. */
export type InputOf<S> =
  S extends StandardSchema<infer _Input, infer Output> ? ToJson<Output> : InputOfJson<S, Infer<S>>;

type InputOfJson<S, Inferred> = [Inferred] extends [never]
  ? ObjectOf<FromJsonSchema<S>>
  : unknown extends Inferred
    ? JsonObject
    : Inferred;

/** The input of a tool is an object, whatever else a schema that is only known at run time could accept. */
type ObjectOf<T> = Json extends T ? JsonObject : T;

/** The type of the data that `output` describes; unknown if the schema is only known at run time. */
export type OutputOf<O> =
  O extends StandardSchema<infer _Input, infer Output>
    ? ToJson<Output>
    : O extends boolean | undefined
      ? unknown
      : [Infer<O>] extends [never]
        ? FromJsonSchema<O>
        : Infer<O>;

/** The type of the input that a caller gives, before defaults are filled in and transforms have run. */
export type GivenOf<S> =
  S extends StandardSchema<infer Input, infer _Output>
    ? Input
    : [InferGiven<S>] extends [never]
      ? InputOf<S>
      : unknown extends InferGiven<S>
        ? JsonObject
        : InferGiven<S>;

/** Any schema of an object; for another schema a sentence that says what to write. */
export type RootOf<S> =
  unknown extends GivenOf<S>
    ? unknown
    : GivenOf<S> extends string | number | boolean | bigint | null | undefined | readonly unknown[]
      ? "the input of a tool is an object: wrap the schema in one, such as z.object({ … })"
      : unknown;

/** The function of a tool. It returns the data that `output` describes, or without `output` anything that has a JSON form. */
export type RunOf<S, O, R> = [O] extends [undefined]
  ? Run<InputOf<S>, JsonForm<R>>
  : Run<InputOf<S>, Returned<OutputOf<O>>>;

/** A method, whose input is compared in both directions: a tool can be defined from another tool. */
type Run<Input, Output> = { run(input: Input, context: ToolContext): Output }["run"];

type Returned<Data> = unknown extends Data
  ? ToolOutput
  : Frozen<Data> | Reply | AsyncIterable<unknown> | Promise<Frozen<Data> | Reply>;

/** Lists and objects that may be read-only, as those of a program often are. */
type Frozen<T> = Json extends T ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** The same type if it has a JSON form; in place of what has none, a sentence that says what to return. */
type JsonForm<T> = unknown extends T
  ? T
  : T extends Json
    ? T
    : T extends bigint
      ? "a bigint is not JSON: return String(value)"
      : T extends ReadonlyMap<unknown, unknown>
        ? "a Map is not JSON: return Object.fromEntries(map)"
        : T extends ReadonlySet<unknown>
          ? "a Set is not JSON: return [...set]"
          : T extends symbol
            ? "a symbol is not JSON: return its description"
            : T extends Whole
              ? T
              : T extends Promise<infer V>
                ? Promise<JsonForm<V>>
                : T extends Function
                  ? "a function is not JSON: return what it returns"
                  : { [K in keyof T]: T[K] extends Function ? T[K] : JsonForm<T[K]> };

/** What is not looked into. */
type Whole =
  | string
  | number
  | boolean
  | null
  | undefined
  | void
  | Reply
  | AsyncIterable<unknown>
  | ArrayBufferView
  | { toJSON(): unknown };

/** The type of a value after it has become JSON, as the output of a schema library's transform does. */
type ToJson<T> = 0 extends 1 & T
  ? T
  : unknown extends T
    ? T
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends { toJSON(): infer J }
        ? ToJson<J>
        : T extends bigint | symbol | Function | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? never
          : { [K in keyof T]: ToJson<T[K]> };

/** The type of the values that a literal JSON Schema accepts; `Json` if unknown. */
type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer U)[] }
      ? FromJsonSchema<U>
      : S extends { readonly type: infer T }
        ? FromType<T, S>
        : Json;

type FromType<T, S> = T extends "string"
  ? string
  : T extends "integer" | "number"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? FromList<S>
          : T extends "object"
            ? FromObject<S>
            : T extends readonly (infer Each)[]
              ? FromType<Each, S>
              : Json;

type FromList<S> = S extends { readonly items: infer I } ? readonly FromJsonSchema<I>[] : readonly Json[];

type FromObject<S> = S extends { readonly properties: infer P }
  ? Flat<
      { readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? K : never]: FromJsonSchema<P[K]> } & {
        readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? never : K]?: FromJsonSchema<P[K]>;
      }
    >
  : JsonObject;

/** Present after validation: required, or filled from its default. */
type IsPresent<Property, K, S> = Property extends { readonly default: unknown }
  ? true
  : S extends { readonly required: readonly (infer R)[] }
    ? K extends R
      ? true
      : false
    : false;

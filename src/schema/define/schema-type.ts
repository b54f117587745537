import type { Json, JsonObject } from "../../core/json.ts";

/** The type of the values that a literal JSON Schema accepts; `Json` if unknown. */
export type FromJsonSchema<S> = S extends { readonly const: infer C }
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
  ? { readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? K : never]: FromJsonSchema<P[K]> } & {
      readonly [K in keyof P as IsPresent<P[K], K, S> extends true ? never : K]?: FromJsonSchema<P[K]>;
    }
  : JsonObject;

/** Present after validation: required, or filled from its default. */
type IsPresent<Property, K, S> = Property extends { readonly default: unknown }
  ? true
  : S extends { readonly required: readonly (infer R)[] }
    ? K extends R
      ? true
      : false
    : false;

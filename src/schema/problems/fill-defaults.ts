import { isObject, type Json, type JsonObject, type JsonSchema } from "../../core/json.ts";
import { setOwn } from "../../util/json/set-own.ts";
import type { Fill } from "../shared/types.ts";

export interface FillOptions {
  readonly resolve: (reference: string) => JsonSchema | undefined;
  /** A default that does not fit its own schema is not filled: it would make a valid call invalid. */
  readonly fits: (value: Json, schema: JsonSchema) => boolean;
}

/**
 * Compiles the defaults of a schema; undefined if it has none. They are filled before the check, from
 * properties, items, additionalProperties, allOf and references; never from a branch of anyOf, oneOf, not or if.
 */
export function compileDefaults(schema: JsonSchema, options: FillOptions): Fill | undefined {
  return new Defaults(options).compile(schema);
}

/** A reference: still being compiled (`open`), or done. */
interface Target {
  fill: Fill | undefined;
  open: boolean;
}

class Defaults {
  readonly #options: FillOptions;
  readonly #targets = new Map<string, Target>();

  constructor(options: FillOptions) {
    this.#options = options;
  }

  compile(schema: JsonSchema | Json | undefined): Fill | undefined {
    if (!isObject(schema)) return undefined;
    const fills = [this.#object(schema), this.#items(schema), this.#reference(schema)];
    if (Array.isArray(schema["allOf"])) {
      for (const branch of schema["allOf"] as readonly Json[]) fills.push(this.compile(branch));
    }
    return all(fills.filter((fill) => fill !== undefined));
  }

  #object(schema: JsonObject): Fill | undefined {
    const properties = schema["properties"];
    if (!isObject(properties)) return this.#rest(schema, new Set());
    const defaults: { readonly name: string; readonly make: () => Json }[] = [];
    const nested: { readonly name: string; readonly fill: Fill }[] = [];
    for (const [name, property] of Object.entries(properties)) {
      const fill = this.compile(property);
      const make = this.#defaultOf(property, fill);
      if (make !== undefined) defaults.push({ name, make });
      if (fill !== undefined) nested.push({ name, fill });
    }
    const rest = this.#rest(schema, new Set(Object.keys(properties)));
    if (defaults.length === 0 && nested.length === 0) return rest;
    return (value) => {
      if (!isObject(value)) return;
      for (const { name, make } of defaults) {
        if (!Object.hasOwn(value, name) || value[name] === undefined) setOwn(value, name, make());
      }
      for (const { name, fill } of nested) {
        if (Object.hasOwn(value, name)) fill(value[name] as Json);
      }
      rest?.(value);
    };
  }

  /** Fills the values of a record, except those that a property or a pattern covers. */
  #rest(schema: JsonObject, declared: ReadonlySet<string>): Fill | undefined {
    const fill =
      schema["patternProperties"] === undefined ? this.compile(schema["additionalProperties"]) : undefined;
    if (fill === undefined) return undefined;
    return (value) => {
      if (!isObject(value)) return;
      for (const [key, child] of Object.entries(value)) if (!declared.has(key)) fill(child);
    };
  }

  /** Returns a function that makes a fresh copy of the default; undefined if there is none that fits. */
  #defaultOf(property: Json, fill: Fill | undefined): (() => Json) | undefined {
    if (!isObject(property)) return undefined;
    const value = property["default"];
    if (value === undefined) return undefined;
    const sample = structuredClone(value);
    fill?.(sample);
    if (!this.#options.fits(sample, property)) return undefined;
    return typeof value === "object" && value !== null ? () => structuredClone(value) : () => value;
  }

  #items(schema: JsonObject): Fill | undefined {
    const fill = this.compile(schema["items"]);
    if (fill === undefined) return undefined;
    return (value) => {
      if (!Array.isArray(value)) return;
      for (const item of value as readonly Json[]) fill(item);
    };
  }

  #reference(schema: JsonObject): Fill | undefined {
    const reference = schema["$ref"];
    if (typeof reference !== "string") return undefined;
    const known = this.#targets.get(reference);
    // Whether a definition that contains itself has defaults is only known once it is compiled.
    if (known?.open === true) return (value) => known.fill?.(value);
    if (known !== undefined) return known.fill;
    const target: Target = { fill: undefined, open: true };
    this.#targets.set(reference, target);
    target.fill = this.compile(this.#options.resolve(reference));
    target.open = false;
    return target.fill;
  }
}

function all(fills: readonly Fill[]): Fill | undefined {
  const [first] = fills;
  if (fills.length <= 1) return first;
  return (value) => {
    for (const fill of fills) fill(value);
  };
}

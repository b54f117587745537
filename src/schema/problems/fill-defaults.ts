import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** Fills what is absent from the defaults of a schema, in place. Safe on any value, whether it fits the schema or not. */
export type Fill = (value: Json) => void;

export interface FillOptions {
  readonly resolve: (reference: string) => JsonSchema | undefined;
  /** A default that does not fit its own schema would turn a good call into a bad one: it is not filled. */
  readonly fits: (value: Json, schema: JsonSchema) => boolean;
}

/**
 * Compiles the defaults of a schema; undefined where it has none. They are filled before anything is checked, from
 * properties, items, additionalProperties, allOf and references; never from a branch of anyOf, oneOf, not or if.
 */
export function compileDefaults(schema: JsonSchema, options: FillOptions): Fill | undefined {
  return new Defaults(options).compile(schema);
}

type Fields = { [key: string]: Json };

/** What is known of a reference: still being compiled, or its fill. */
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
    const given: { readonly name: string; readonly make: () => Json }[] = [];
    const nested: { readonly name: string; readonly fill: Fill }[] = [];
    for (const [name, property] of Object.entries(properties)) {
      const fill = this.compile(property);
      const make = this.#defaultOf(property, fill);
      if (make !== undefined) given.push({ name, make });
      if (fill !== undefined) nested.push({ name, fill });
    }
    const rest = this.#rest(schema, new Set(Object.keys(properties)));
    if (given.length === 0 && nested.length === 0) return rest;
    return (value) => {
      if (!isObject(value)) return;
      for (const { name, make } of given) {
        if (!Object.hasOwn(value, name) || value[name] === undefined) put(value, name, make());
      }
      for (const { name, fill } of nested) {
        if (Object.hasOwn(value, name)) fill(value[name] as Json);
      }
      rest?.(value);
    };
  }

  /** The values of a record are filled too, but for those that a property or a pattern covers. */
  #rest(schema: JsonObject, declared: ReadonlySet<string>): Fill | undefined {
    const fill =
      schema["patternProperties"] === undefined ? this.compile(schema["additionalProperties"]) : undefined;
    if (fill === undefined) return undefined;
    return (value) => {
      if (!isObject(value)) return;
      for (const [key, child] of Object.entries(value)) if (!declared.has(key)) fill(child);
    };
  }

  /** A maker of the default, a fresh copy each time; undefined where there is none that fits. */
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

/** Defines, so that a property called `__proto__` is a property and nothing else. */
function put(object: Fields, name: string, value: Json): void {
  if (name !== "__proto__") {
    object[name] = value;
    return;
  }
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

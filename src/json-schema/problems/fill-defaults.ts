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
  return compile(schema, { ...options, targets: new Map() });
}

/** A reference: still being compiled (`open`), or done. */
interface Target {
  fill: Fill | undefined;
  open: boolean;
}

interface Scope extends FillOptions {
  readonly targets: Map<string, Target>;
}

function compile(schema: JsonSchema | Json | undefined, scope: Scope): Fill | undefined {
  if (!isObject(schema)) return undefined;
  const fills = [fillObject(schema, scope), fillItems(schema, scope), fillReference(schema, scope)];
  if (Array.isArray(schema["allOf"])) {
    for (const branch of schema["allOf"] as readonly Json[]) fills.push(compile(branch, scope));
  }
  return all(fills.filter((fill) => fill !== undefined));
}

function fillObject(schema: JsonObject, scope: Scope): Fill | undefined {
  const properties = schema["properties"];
  if (!isObject(properties)) return fillRest(schema, new Set(), scope);
  const defaults: { readonly name: string; readonly make: () => Json }[] = [];
  const nested: { readonly name: string; readonly fill: Fill }[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const fill = compile(property, scope);
    const make = defaultOf(property, fill, scope);
    if (make !== undefined) defaults.push({ name, make });
    if (fill !== undefined) nested.push({ name, fill });
  }
  const rest = fillRest(schema, new Set(Object.keys(properties)), scope);
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
function fillRest(schema: JsonObject, declared: ReadonlySet<string>, scope: Scope): Fill | undefined {
  const fill =
    schema["patternProperties"] === undefined ? compile(schema["additionalProperties"], scope) : undefined;
  if (fill === undefined) return undefined;
  return (value) => {
    if (!isObject(value)) return;
    for (const [key, child] of Object.entries(value)) if (!declared.has(key)) fill(child);
  };
}

/** Returns a function that makes a fresh copy of the default; undefined if there is none that fits. */
function defaultOf(property: Json, fill: Fill | undefined, scope: Scope): (() => Json) | undefined {
  if (!isObject(property)) return undefined;
  const value = property["default"];
  if (value === undefined) return undefined;
  const sample = structuredClone(value);
  fill?.(sample);
  if (!scope.fits(sample, property)) return undefined;
  return typeof value === "object" && value !== null ? () => structuredClone(value) : () => value;
}

function fillItems(schema: JsonObject, scope: Scope): Fill | undefined {
  const fill = compile(schema["items"], scope);
  if (fill === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return;
    for (const item of value as readonly Json[]) fill(item);
  };
}

function fillReference(schema: JsonObject, scope: Scope): Fill | undefined {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return undefined;
  const known = scope.targets.get(reference);
  // Whether a definition that contains itself has defaults is only known once it is compiled.
  if (known?.open === true) return (value) => known.fill?.(value);
  if (known !== undefined) return known.fill;
  const target: Target = { fill: undefined, open: true };
  scope.targets.set(reference, target);
  target.fill = compile(scope.resolve(reference), scope);
  target.open = false;
  return target.fill;
}

function all(fills: readonly Fill[]): Fill | undefined {
  const [first] = fills;
  if (fills.length <= 1) return first;
  return (value) => {
    for (const fill of fills) fill(value);
  };
}

import { isObject, type Json } from "../../core/json.ts";

/** The JSON types as bits, so that a set of them is one number. A number is an integer or a fraction. */
export const NULL = 1;
export const BOOLEAN = 2;
export const INTEGER = 4;
export const FRACTION = 8;
export const STRING = 16;
export const LIST = 32;
export const OBJECT = 64;
export const NUMBER = INTEGER | FRACTION;
export const ANY = 127;

const BITS = new Map([
  ["null", NULL],
  ["boolean", BOOLEAN],
  ["integer", INTEGER],
  ["number", NUMBER],
  ["string", STRING],
  ["array", LIST],
  ["object", OBJECT],
]);

/** Returns the bit of a value's type; 0 for a value that is not JSON (undefined, NaN, a function). */
export function typeOf(value: Json | undefined): number {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      if (Number.isInteger(value)) return INTEGER;
      return Number.isFinite(value) ? FRACTION : 0;
    case "boolean":
      return BOOLEAN;
    case "object":
      if (value === null) return NULL;
      return Array.isArray(value) ? LIST : OBJECT;
    default:
      return 0;
  }
}

/** Returns the bits of a `type` keyword; undefined if it is malformed. */
export function typesFromKeyword(type: Json | undefined): number | undefined {
  if (type === undefined) return ANY;
  if (typeof type === "string") return BITS.get(type);
  if (!Array.isArray(type) || type.length === 0) return undefined;
  let types = 0;
  for (const name of type) {
    const bit = typeof name === "string" ? BITS.get(name) : undefined;
    if (bit === undefined) return undefined;
    types |= bit;
  }
  return types;
}

/** Returns a text such as "integer or null". */
export function describeTypes(types: number): string {
  if (types === ANY) return "any value";
  const names: string[] = [];
  for (const [name, bits] of BITS) {
    const isIncluded = name === "integer" ? (types & NUMBER) === INTEGER : (types & bits) === bits;
    if (isIncluded) names.push(name);
  }
  return names.length === 0 ? "nothing" : names.sort(nullLast).join(" or ");
}

function nullLast(a: string, b: string): number {
  return Number(a === "null") - Number(b === "null");
}

/** Compares JSON values: 1 and 1.0 are equal, the order of keys does not matter, only own keys count. */
export function deepEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => deepEqual(item, b[index] ?? null));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key] ?? null, b[key] ?? null));
}

/** Returns true if no two items are equal. */
export function areUnique(items: readonly Json[]): boolean {
  if (items.every((item) => typeof item !== "object" || item === null)) {
    return new Set(items).size === items.length;
  }
  return items.every((item, index) =>
    items.every((other, place) => place <= index || !deepEqual(item, other)),
  );
}

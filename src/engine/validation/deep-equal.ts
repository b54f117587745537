import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** Equality of JSON values: 1 and 1.0 are equal, the order of keys does not matter, only own keys count. */
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

/** True where no two items are equal. */
export function areUnique(items: readonly Json[]): boolean {
  if (items.every((item) => typeof item !== "object" || item === null)) {
    return new Set(items).size === items.length;
  }
  return items.every((item, index) =>
    items.every((other, place) => place <= index || !deepEqual(item, other)),
  );
}

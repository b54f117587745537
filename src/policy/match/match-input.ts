import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/** Returns true if the input has exactly these values; with `isWhole`, only if it has no other parameters. */
export function matchInput(given: JsonObject, wanted: JsonObject, isWhole: boolean): boolean {
  const keys = Object.keys(wanted);
  if (isWhole && Object.keys(given).length !== keys.length) return false;
  return keys.every((key) => Object.hasOwn(given, key) && isEqual(given[key], wanted[key]));
}

/** Compares two JSON values; the order of keys does not matter. */
function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return (
      one.length === other.length && one.every((item: Json, index) => isEqual(item, other[index] as Json))
    );
  }
  if (isObject(one) && isObject(other)) return matchInput(one, other, true);
  return one === other;
}

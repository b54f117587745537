import type { Json, JsonObject } from "../../core/json.ts";
import { deepEqual } from "../../json-schema/shared/json-value.ts";

/** Returns true if the input has exactly these values; with `isWhole`, only if it has no other parameters. */
export function matchInput(given: JsonObject, wanted: JsonObject, isWhole: boolean): boolean {
  const keys = Object.keys(wanted);
  if (isWhole && Object.keys(given).length !== keys.length) return false;
  return keys.every((key) => Object.hasOwn(given, key) && deepEqual(given[key] as Json, wanted[key] as Json));
}

import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { containerOf } from "./typed-text.ts";

const WRAPPERS: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "properties",
  "input",
  "args",
  "params",
  "kwargs",
]);

/** An input that was put whole under one more key, taken out of it. Only where the tool has no such parameter, and has all that is inside. */
export function unwrapped(input: JsonObject, schema: JsonObject | undefined): JsonObject {
  const [[key, value] = ["", null], ...others] = Object.entries(input);
  const properties = schema?.["properties"];
  if (others.length > 0 || !WRAPPERS.has(key) || !isObject(properties) || Object.hasOwn(properties, key))
    return input;
  const inner = typeof value === "string" ? containerOf(value.trim()) : value;
  if (!isObject(inner)) return input;
  const keys = Object.keys(inner);
  return keys.length > 0 && keys.every((word) => Object.hasOwn(properties, word)) ? inner : input;
}

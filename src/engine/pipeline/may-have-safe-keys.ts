import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

const SAFE_EVERYWHERE = /^[a-zA-Z_]\w{0,63}$/;
const CHOICES = ["$ref", "allOf", "anyOf", "oneOf"];

/** False where no provider is shown another name for a parameter, which is nearly always. */
export function mayHaveSafeKeys(schema: JsonObject): boolean {
  const { properties } = schema;
  const isChoice = CHOICES.some((keyword) => Object.hasOwn(schema, keyword));
  return (
    isChoice || (isObject(properties) && !Object.keys(properties).every((key) => SAFE_EVERYWHERE.test(key)))
  );
}

import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/** Parses JSON text; returns undefined if it is not JSON, for callers to whom that is not an error. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** JSON that is nested deeper is refused: code that walks it would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/** Returns true if lists and objects are nested deeper than this. Never overflows the stack. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => isDeeperThan(item, levels - 1));
}

/** Returns a value that is a text, and an empty text for any other value. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses a JSON object; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

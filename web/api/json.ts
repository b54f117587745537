import type { BodyOf } from "../../src/app/http/api.ts";

export type JsonObject = NonNullable<BodyOf<"run">["input"]>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object that a JSON text holds, or undefined if it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

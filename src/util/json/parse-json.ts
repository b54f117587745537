import type { Json } from "../../core/json.ts";

/** Parses JSON text; returns undefined if it is not JSON, for callers to whom that is not an error. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

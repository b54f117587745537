import type { Json } from "../../core/json.ts";

/** The value of a JSON text; undefined where it is not JSON, for callers to whom that is no error. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

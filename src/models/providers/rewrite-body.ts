import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** A fetch whose JSON bodies are changed on their way out. */
export function rewriteBody(inner: typeof fetch, change: (body: JsonObject) => JsonObject): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== "string") return inner(input, init);
    const body: unknown = JSON.parse(init.body);
    return inner(input, isObject(body) ? { ...init, body: JSON.stringify(change(body)) } : init);
  };
}

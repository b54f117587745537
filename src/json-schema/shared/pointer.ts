import { isObject, type Json, type JsonSchema } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";

/** Returns the JSON Pointer of a key below another pointer. */
export function below(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}/${key}`;
  return `${path}/${key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** Returns the keys of a JSON Pointer; undefined if the text is not one. */
export function keysOf(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value of an own key of an object or list; undefined if there is none. */
export function childOf(parent: Json | undefined, key: string): Json | undefined {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return undefined;
  if (Array.isArray(parent)) return key === "length" ? undefined : (parent as readonly Json[])[Number(key)];
  return (parent as Readonly<Record<string, Json>>)[key];
}

/** Returns the schema that a reference into the same document (`#`, `#/$defs/a%20b`) leads to; undefined for every other reference. */
export function resolveLocal(document: JsonSchema, reference: string): JsonSchema | undefined {
  const keys = localKeys(reference);
  if (keys === undefined) return undefined;
  let node: Json | undefined = document;
  for (const [depth, key] of keys.entries()) {
    // Below another `$id` a reference means something else.
    if (depth > 0 && typeof childOf(node, "$id") === "string") return undefined;
    node = childOf(node, key);
  }
  return isObject(node) || typeof node === "boolean" ? node : undefined;
}

/** Returns the keys of a reference into the same document; undefined for every other reference. */
export function localKeys(reference: string): readonly string[] | undefined {
  if (!reference.startsWith("#")) return undefined;
  const pointer = attempt(() => decodeURIComponent(reference.slice(1)));
  return pointer === undefined ? undefined : keysOf(pointer);
}

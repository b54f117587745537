import type { Json, JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** The JSON Pointer of a key below another. */
export function below(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}/${key}`;
  return `${path}/${key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** The keys of a JSON Pointer; undefined where the text is not one. */
export function keysOf(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value of an own key of an object or list; undefined where there is none. */
export function childOf(parent: Json | undefined, key: string): Json | undefined {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return undefined;
  if (Array.isArray(parent)) return key === "length" ? undefined : (parent as readonly Json[])[Number(key)];
  return (parent as Readonly<Record<string, Json>>)[key];
}

/** The schema that a reference into the same document leads to (`#`, `#/$defs/a%20b`); undefined for every other reference. */
export function resolveLocal(document: JsonSchema, reference: string): JsonSchema | undefined {
  const keys = localKeys(reference);
  if (keys === undefined) return undefined;
  let found: Json | undefined = document;
  for (const [depth, key] of keys.entries()) {
    // Below an identifier of its own a reference means something else.
    if (depth > 0 && typeof childOf(found, "$id") === "string") return undefined;
    found = childOf(found, key);
  }
  return isObject(found) || typeof found === "boolean" ? found : undefined;
}

/** The keys of a reference into the same document; undefined for every other reference. */
export function localKeys(reference: string): readonly string[] | undefined {
  if (!reference.startsWith("#")) return undefined;
  const pointer = decode(reference.slice(1));
  return pointer === undefined ? undefined : keysOf(pointer);
}

function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

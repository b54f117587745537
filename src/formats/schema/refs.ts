import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { childOf, localKeys } from "../../json-schema/shared/pointer.ts";

/** Returns the target of a `$ref` in this document, or undefined. Never fetches anything. */
export function resolveRef(root: JsonObject, ref: string): Json | undefined {
  const id = root["$id"];
  const local = typeof id === "string" && id !== "" && ref.startsWith(id) ? ref.slice(id.length) : ref;
  if (local === "") return root;
  const keys = localKeys(local);
  if (keys !== undefined) return keys.reduce<Json | undefined>(childOf, root);
  return local.startsWith("#") ? atAnchor(root, local.slice(1)) : undefined;
}

/** Returns a name for the target of a ref: the last part of its path. */
export function refName(ref: string): string {
  const last = ref.split("/").at(-1) ?? "";
  return last.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "root";
}

/** Finds an anchor among the definitions. */
function atAnchor(root: JsonObject, anchor: string): Json | undefined {
  const definitions = [root["$defs"], root["definitions"]].filter(isObject);
  const schemas = definitions.flatMap((group) => Object.values(group));
  return schemas.find(
    (schema) => isObject(schema) && (schema["$anchor"] === anchor || schema["$id"] === `#${anchor}`),
  );
}

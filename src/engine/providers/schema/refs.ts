import { isObject, type Json, type JsonObject } from "../../../core/json.ts";

/** Returns the target of a `$ref` in this document, or undefined. Never fetches anything. */
export function resolveRef(root: JsonObject, ref: string): Json | undefined {
  const id = root["$id"];
  const local = typeof id === "string" && id !== "" && ref.startsWith(id) ? ref.slice(id.length) : ref;
  if (local === "#" || local === "") return root;
  if (!local.startsWith("#")) return undefined;
  return local.startsWith("#/") ? atPointer(root, local.slice(2)) : atAnchor(root, local.slice(1));
}

/** Returns a name for the target of a ref: the last part of its path. */
export function refName(ref: string): string {
  const last = ref.split("/").at(-1) ?? "";
  return last.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "root";
}

function atPointer(root: JsonObject, pointer: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of pointer.split("/").map(unescaped)) {
    const inside: unknown = found;
    if (typeof inside !== "object" || inside === null || !Object.hasOwn(inside, part)) return undefined;
    found = (inside as JsonObject)[part];
  }
  return found;
}

function unescaped(part: string): string {
  const decoded = part.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Finds an anchor among the definitions. */
function atAnchor(root: JsonObject, anchor: string): Json | undefined {
  const definitions = [root["$defs"], root["definitions"]].filter(isObject);
  const schemas = definitions.flatMap((group) => Object.values(group));
  return schemas.find(
    (schema) => isObject(schema) && (schema["$anchor"] === anchor || schema["$id"] === `#${anchor}`),
  );
}

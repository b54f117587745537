import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { rewriteBody } from "./rewrite-body.ts";

const SEAL = "toolwright:schema";

/**
 * A schema that no package can change or refuse: our schemas are within the provider's limits already, and what a package leaves
 * out of one, or throws at, the tool is still held to.
 */
export function sealed(schema: JsonObject): JsonObject {
  return { [SEAL]: JSON.stringify(schema) };
}

/** A fetch that sends the schemas of tools as they were before they were sealed. */
export function unsealingFetch(inner: typeof fetch): typeof fetch {
  return rewriteBody(inner, (body) => {
    const { tools } = body;
    return tools === undefined ? body : { ...body, tools: opened(tools) };
  });
}

function opened(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(opened);
  if (!isObject(value)) return value;
  const schema = value[SEAL];
  if (typeof schema === "string") return JSON.parse(schema) as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, opened(inside)]));
}

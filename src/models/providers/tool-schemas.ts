import { isObject, type Json, type JsonObject } from "../../core/json.ts";

const SEAL = "toolwright:schema";

/**
 * Hides a schema from the provider's package, which might change or reject it. Tool schemas are already within the provider's
 * limits, and the engine validates against all of a schema, including what a package would drop.
 */
export function sealSchema(schema: JsonObject): JsonObject {
  return { [SEAL]: JSON.stringify(schema) };
}

/** Returns a fetch that restores sealed tool schemas in request bodies. */
export function unsealingFetch(inner: typeof fetch): typeof fetch {
  return rewriteBody(inner, ({ tools, ...body }) =>
    tools === undefined ? body : { ...body, tools: unseal(tools) },
  );
}

function unseal(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(unseal);
  if (!isObject(value)) return value;
  const schema = value[SEAL];
  if (typeof schema === "string") return JSON.parse(schema) as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unseal(item)]));
}

/**
 * Returns a fetch that sends tool schemas to Gemini under `parameters`, which every version of its API reads. The SDK sends them
 * under `parametersJsonSchema`, where `nullable` has no meaning.
 */
export function googleFetch(inner: typeof fetch): typeof fetch {
  return rewriteBody(inner, (body) => {
    const tools = body["tools"];
    return Array.isArray(tools) ? { ...body, tools: (tools as readonly Json[]).map(withParameters) } : body;
  });
}

function withParameters(tool: Json): Json {
  if (!isObject(tool) || !Array.isArray(tool["functionDeclarations"])) return tool;
  const declarations = tool["functionDeclarations"] as readonly JsonObject[];
  return { ...tool, functionDeclarations: declarations.map(toDeclaration) };
}

function toDeclaration({ parametersJsonSchema, ...rest }: JsonObject): JsonObject {
  const properties = isObject(parametersJsonSchema) ? parametersJsonSchema["properties"] : undefined;
  // Gemini rejects an object schema without properties.
  const hasProperties = isObject(properties) && Object.keys(properties).length > 0;
  return hasProperties ? { ...rest, parameters: parametersJsonSchema ?? {} } : rest;
}

/** Returns a fetch that changes the JSON bodies of requests. */
function rewriteBody(inner: typeof fetch, change: (body: JsonObject) => JsonObject): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== "string") return inner(input, init);
    const body: unknown = JSON.parse(init.body);
    return inner(input, isObject(body) ? { ...init, body: JSON.stringify(change(body)) } : init);
  };
}

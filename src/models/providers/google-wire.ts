import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { rewriteBody } from "./rewrite-body.ts";

/**
 * Our schemas are made for `parameters`, which every version of Gemini's API reads; the SDK puts them under
 * `parametersJsonSchema`, where `nullable` means nothing.
 */
export function googleFetch(inner: typeof fetch): typeof fetch {
  return rewriteBody(inner, (body) => {
    const tools = body["tools"];
    return Array.isArray(tools) ? { ...body, tools: (tools as readonly Json[]).map(toolsShown) } : body;
  });
}

function toolsShown(tool: Json): Json {
  if (!isObject(tool) || !Array.isArray(tool["functionDeclarations"])) return tool;
  const declarations = tool["functionDeclarations"] as readonly JsonObject[];
  return { ...tool, functionDeclarations: declarations.map(declared) };
}

function declared({ parametersJsonSchema, ...rest }: JsonObject): JsonObject {
  const properties = isObject(parametersJsonSchema) ? parametersJsonSchema["properties"] : undefined;
  // An object without properties is refused.
  const hasSome = isObject(properties) && Object.keys(properties).length > 0;
  return hasSome ? { ...rest, parameters: parametersJsonSchema ?? {} } : rest;
}

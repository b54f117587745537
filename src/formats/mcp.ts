import { isObject, type JsonObject, type JsonSchema } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { fileName, type Attachment } from "./content-parts.ts";
import { typesOf, normalize } from "./schema/normalize.ts";
import type { McpContent, ProviderMessages, ProviderTools } from "./provider-shapes.ts";
import { defined } from "../util/json/defined.ts";

type McpTool = ProviderTools["mcp"];

/** Returns a tool for `tools/list`. MCP accepts any JSON Schema, so the tool's own is passed unchanged, `$schema` included. */
export function toMcpTool(spec: ToolSpec, name: string): McpTool {
  const outputSchema = spec.output === undefined ? undefined : outputShown(spec.output);
  return {
    name,
    ...(spec.description !== "" && { description: spec.description }),
    inputSchema: inputShown(spec.input),
    ...defined({ outputSchema }),
    annotations: annotations(spec),
  };
}

/** Returns the results of `tools/call`, in call order. */
export function toMcpResults(results: readonly ToolResult[]): ProviderMessages["mcp"][] {
  return results.map((result) => toMcpResult(result, { hasLinks: true }));
}

/** Returns one result; resource links become text for a client that does not know them. Wraps data that is not an object, as `outputSchema` declares. */
export function toMcpResult(
  result: ToolResult,
  { hasLinks }: { readonly hasLinks: boolean },
): ProviderMessages["mcp"] {
  const data = result.ok ? result.data : undefined;
  return {
    content: result.content.map((piece, index): McpContent => {
      if (piece.type !== "text") return attachmentShown(piece, result.callId, index);
      if (hasLinks && piece.link !== undefined) return { ...piece.link, type: "resource_link" };
      return { type: "text", text: piece.text };
    }),
    ...(data !== undefined && { structuredContent: isObject(data) ? data : { result: data } }),
    ...(!result.ok && { isError: true }),
  };
}

/** Clients require `type: "object"`, and an object as the schema of each property. */
function inputShown(schema: JsonObject): McpTool["inputSchema"] {
  const { properties } = schema;
  const flags = isObject(properties) && Object.values(properties).some((each) => typeof each === "boolean");
  if (schema["type"] === "object" && !flags) return schema as McpTool["inputSchema"];
  if (!flags) return { ...schema, type: "object" };
  const plain = Object.entries(properties).map(([name, each]) => {
    return [name, typeof each === "boolean" ? normalize(each) : each] as const;
  });
  return { ...schema, type: "object", properties: Object.fromEntries(plain) };
}

/** Wraps the schema of a value that is not an object. Returns undefined if the schema allows both. */
function outputShown(schema: JsonSchema): McpTool["outputSchema"] {
  if (!isObject(schema)) return undefined;
  const types = typesOf(normalize(schema));
  if (types.length === 1 && types[0] === "object") return { type: "object", ...schema };
  // A `$ref` starts at the root of its document, which wrapping would change.
  if (types.length === 0 || types.includes("object") || JSON.stringify(schema).includes('"$ref"'))
    return undefined;
  return { type: "object", properties: { result: schema }, required: ["result"] };
}

/** Returns only what the tool declares; missing hints have MCP's cautious defaults. */
function annotations({ effects, risk }: ToolSpec): McpTool["annotations"] {
  if (effects === "none") return { readOnlyHint: true };
  const harmless = effects === "own-state" || risk === "low";
  return {
    readOnlyHint: false,
    ...(harmless && { destructiveHint: false }),
    ...(risk === "high" && { destructiveHint: true }),
    ...(effects === "idempotent" && { idempotentHint: true }),
  };
}

function attachmentShown(piece: Attachment, callId: string, index: number): McpContent {
  const { mimeType, data } = piece;
  if (piece.type !== "file") return { type: piece.type, data, mimeType };
  const path = [callId, String(index), fileName(piece)]
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
  return { type: "resource", resource: { uri: `toolwright://answers/${path}`, mimeType, blob: data } };
}

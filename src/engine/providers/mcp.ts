import type { Json, JsonObject, JsonSchema } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Attachment } from "./content-parts.ts";
import { fileName } from "./content-parts.ts";
import { typesOf, wellFormed } from "./schema/well-formed.ts";

/** A tool as `tools/list` gives it. MCP reads any JSON Schema, so that the tool's own goes out as it is, `$schema` included. */
export function toMcpTool(spec: ToolSpec, name: string): JsonObject {
  const outputSchema = spec.output === undefined ? undefined : outputShown(spec.output);
  return {
    name,
    ...(spec.description !== "" && { description: spec.description }),
    inputSchema: inputShown(spec.input),
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: annotations(spec),
  };
}

/** The results of `tools/call`, one a call, in call order. */
export function toMcpResults(results: readonly ToolResult[]): readonly JsonObject[] {
  return results.map((result) => toMcpResult(result, true));
}

/** One of them, for a client that may not know links. Data that is no object is wrapped, as `outputSchema` says it is. */
export function toMcpResult(result: ToolResult, hasLinks: boolean): JsonObject {
  return {
    content: result.content.map((piece, index) => {
      if (piece.type !== "text") return attachmentShown(piece, result.callId, index);
      if (hasLinks && piece.link !== undefined) return { ...piece.link, type: "resource_link" };
      return { type: "text", text: piece.text };
    }),
    ...(result.ok && result.data !== undefined && { structuredContent: wrapped(result.data) }),
    ...(!result.ok && { isError: true }),
  };
}

/** Clients demand `type: "object"`, and an object for the schema of each property. */
function inputShown(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const flags = isObject(properties) && Object.values(properties).some((each) => typeof each === "boolean");
  if (schema["type"] === "object" && !flags) return schema;
  const plain = flags && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [
        name,
        typeof each === "boolean" ? wellFormed(each) : each,
      ]),
    ),
  };
  return { ...schema, type: "object", ...plain };
}

/** Structured content must be an object: another value is wrapped. Where the schema leaves open which it is, nothing is promised. */
function outputShown(schema: JsonSchema): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const types = typesOf(wellFormed(schema));
  if (types.length === 1 && types[0] === "object") return schema;
  // Refs are written from the top of a document, which would no longer be theirs.
  if (types.length === 0 || types.includes("object") || JSON.stringify(schema).includes('"$ref"'))
    return undefined;
  return { type: "object", properties: { result: schema }, required: ["result"] };
}

function wrapped(data: Json): JsonObject {
  return isObject(data) ? data : { result: data };
}

/** Only what the tool declares: unsaid hints keep MCP's cautious defaults. */
function annotations({ effects, risk }: ToolSpec): JsonObject {
  if (effects === "none") return { readOnlyHint: true };
  const harmless = effects === "own-state" || risk === "low";
  return {
    readOnlyHint: false,
    ...(harmless && { destructiveHint: false }),
    ...(risk === "high" && { destructiveHint: true }),
    ...(effects === "idempotent" && { idempotentHint: true }),
  };
}

function attachmentShown(piece: Attachment, callId: string, index: number): JsonObject {
  const { mimeType, data } = piece;
  if (piece.type !== "file") return { type: piece.type, data, mimeType };
  const path = [callId, String(index), fileName(piece)]
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
  return { type: "resource", resource: { uri: `toolwright://answers/${path}`, mimeType, blob: data } };
}

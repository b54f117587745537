import type { Content } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { noteOn } from "./content-parts.ts";
import { withSafeParameters } from "./parameter-names.ts";
import { toSubset } from "./schema/schema-subset.ts";

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Returns a tool for the Messages API. */
export function toAnthropicTool(spec: ToolSpec, name: string): JsonObject {
  const shown = toSubset(spec.input, "full") ?? { type: "object", properties: {} };
  return {
    name,
    ...(spec.description !== "" && { description: spec.description }),
    input_schema: withSafeParameters(shown, "anthropic"),
  };
}

/** Returns one user message with all results, in call order: the API refuses results in several messages. */
export function toAnthropicMessages(results: readonly ToolResult[]): readonly JsonObject[] {
  return results.length === 0 ? [] : [{ role: "user", content: results.map(toolResult) }];
}

function toolResult(result: ToolResult): JsonObject {
  // The API refuses anything but text in an error.
  const blocks = result.content.map((piece) => block(piece, result.ok)).filter((each) => each["text"] !== "");
  return {
    type: "tool_result",
    tool_use_id: result.callId,
    ...(blocks.length > 0 && { content: blocks }),
    ...(!result.ok && { is_error: true }),
  };
}

function block(piece: Content, mayShow: boolean): JsonObject {
  if (piece.type === "text") return { type: "text", text: piece.text };
  const { mimeType, data } = piece;
  const source = { type: "base64", media_type: mimeType, data };
  if (mayShow && piece.type === "image" && IMAGES.has(mimeType)) return { type: "image", source };
  if (mayShow && piece.type === "file" && mimeType === "application/pdf") return document(source, piece.name);
  if (mayShow && piece.type === "file" && mimeType.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (text !== "") return document({ type: "text", media_type: "text/plain", data: text }, piece.name);
  }
  return { type: "text", text: noteOn(piece, "cannot be shown here") };
}

function document(source: JsonObject, title: string | undefined): JsonObject {
  return { type: "document", source, ...(title !== undefined && { title }) };
}

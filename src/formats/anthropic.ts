import type { Content } from "../core/content.ts";
import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { noteOn } from "./content-parts.ts";
import { withSafeParameters } from "./parameter-names.ts";
import { toSubset } from "./schema/schema-subset.ts";
import type {
  AnthropicBlock,
  AnthropicImage,
  AnthropicResult,
  ProviderMessages,
  ProviderTools,
} from "./provider-shapes.ts";
import { defined } from "../util/json/defined.ts";

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Returns a tool for the Messages API. */
export function toAnthropicTool(spec: ToolSpec, name: string): ProviderTools["anthropic"] {
  const schema = toSubset(spec.input, "full") ?? { type: "object", properties: {} };
  return {
    name,
    ...(spec.description !== "" && { description: spec.description }),
    input_schema: { type: "object", ...withSafeParameters(schema, "anthropic") },
  };
}

/** Returns one user message with all results, in call order: the API refuses results in several messages. */
export function toAnthropicMessages(results: readonly ToolResult[]): ProviderMessages["anthropic"][] {
  return results.length === 0 ? [] : [{ role: "user", content: results.map(toolResult) }];
}

function toolResult(result: ToolResult): AnthropicResult {
  // The API refuses anything but text in an error.
  const blocks = result.content
    .map((piece) => block(piece, result.ok))
    .filter((each) => each.type !== "text" || each.text !== "");
  return {
    type: "tool_result",
    tool_use_id: result.callId,
    ...(blocks.length > 0 && { content: blocks }),
    ...(!result.ok && { is_error: true }),
  };
}

function block(piece: Content, mayShow: boolean): AnthropicBlock {
  if (piece.type === "text") return { type: "text", text: piece.text };
  const { mimeType, data } = piece;
  if (mayShow && piece.type === "image" && isImage(mimeType))
    return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  if (mayShow && piece.type === "file" && mimeType === "application/pdf")
    return document({ type: "base64", media_type: mimeType, data }, piece.name);
  if (mayShow && piece.type === "file" && mimeType.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (text !== "") return document({ type: "text", media_type: "text/plain", data: text }, piece.name);
  }
  return { type: "text", text: noteOn(piece, "cannot be shown here") };
}

function isImage(mimeType: string): mimeType is AnthropicImage {
  return IMAGES.has(mimeType);
}

type Document = Extract<AnthropicBlock, { readonly type: "document" }>;

function document(source: Document["source"], title: string | undefined): Document {
  return { type: "document", source, ...defined({ title }) };
}

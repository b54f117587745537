import type { Content } from "../core/content.ts";
import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { textOf } from "../util/text/text-of.ts";
import { attachmentsOf, dataUrl, fileName, noteOn } from "./content-parts.ts";
import { openAiFunction } from "./openai.ts";
import type { OpenAiOutputPart, ProviderMessages, ProviderTools } from "./provider-shapes.ts";

/** Returns a tool for the Responses API. Always sets `strict`, which that API defaults to true. */
export function toOpenAiResponsesTool(
  spec: ToolSpec,
  name: string,
  strict?: boolean,
): ProviderTools["openai-responses"] {
  return { type: "function", ...openAiFunction(spec, name, strict === true) };
}

/** Returns one output item for each call, in call order: a string for text alone, else a list of parts. */
export function toOpenAiResponsesItems(
  results: readonly ToolResult[],
): ProviderMessages["openai-responses"][] {
  return results.map(({ callId, content }) => ({
    type: "function_call_output",
    call_id: callId,
    output: attachmentsOf(content).length === 0 ? textOf(content) : content.map(part),
  }));
}

function part(piece: Content): OpenAiOutputPart {
  if (piece.type === "text") return { type: "input_text", text: piece.text };
  if (piece.type === "image") return { type: "input_image", image_url: dataUrl(piece) };
  if (piece.type === "file")
    return { type: "input_file", filename: fileName(piece), file_data: dataUrl(piece) };
  return { type: "input_text", text: noteOn(piece, "cannot be shown here") };
}

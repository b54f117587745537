import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { toAnthropicMessages } from "./anthropic.ts";
import { toGoogleMessages } from "./google.ts";
import { toMcpResults } from "./mcp.ts";
import { toProviderName } from "./tool-names.ts";
import { toOpenAiResponsesItems } from "./openai-responses.ts";
import { toOpenAiMessages } from "./openai.ts";
import type { ProviderFormat, ToolNames } from "../types/provider-format.ts";

type ShownName = (name: string) => string;

const SHAPES: Readonly<
  Record<ProviderFormat, (results: readonly ToolResult[], shownName: ShownName) => readonly JsonObject[]>
> = {
  openai: toOpenAiMessages,
  "openai-responses": toOpenAiResponsesItems,
  anthropic: toAnthropicMessages,
  google: toGoogleMessages,
  mcp: toMcpResults,
};

/**
 * Answers as a provider takes them back, in call order, the error flag set wherever the form has one. `names` are those of the
 * tools that were shown; without it each name is written as it would be if it clashed with no other.
 */
export function toProviderMessages(
  results: readonly ToolResult[],
  format: ProviderFormat,
  names?: ToolNames,
): readonly JsonObject[] {
  return SHAPES[format](results, (name) => names?.shown(name) ?? toProviderName(name, format));
}

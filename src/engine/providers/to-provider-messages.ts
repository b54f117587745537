import type { JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ProviderFormat, ToolNames } from "../types/registry.ts";
import { toAnthropicMessages } from "./anthropic.ts";
import { toGoogleMessages } from "./google.ts";
import { toMcpResults } from "./mcp.ts";
import { toOpenAiResponsesItems } from "./openai-responses.ts";
import { toOpenAiMessages } from "./openai.ts";
import { toProviderName } from "./tool-names.ts";

type ShownName = (name: string) => string;

const FORMATS: Readonly<
  Record<ProviderFormat, (results: readonly ToolResult[], shownName: ShownName) => readonly JsonObject[]>
> = {
  openai: toOpenAiMessages,
  "openai-responses": toOpenAiResponsesItems,
  anthropic: toAnthropicMessages,
  google: toGoogleMessages,
  mcp: toMcpResults,
};

/**
 * Returns answers in the form a provider accepts, in call order, with its error flag if it has one. `names` are the names of
 * the tools that were shown; without them each name is written as if it collided with no other.
 */
export function toProviderMessages(
  results: readonly ToolResult[],
  format: ProviderFormat,
  names?: ToolNames,
): readonly JsonObject[] {
  return FORMATS[format](results, (name) => names?.shown(name) ?? toProviderName(name, format));
}

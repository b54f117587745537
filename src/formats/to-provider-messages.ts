import type { ToolResult } from "../core/result.ts";
import type { ProviderFormat, ProviderMessages } from "./provider-shapes.ts";
import { toAnthropicMessages } from "./anthropic.ts";
import { toGoogleMessages } from "./google.ts";
import { toMcpResults } from "./mcp.ts";
import { toOpenAiResponsesItems } from "./openai-responses.ts";
import { toOpenAiMessages } from "./openai.ts";
import { knownFormat, toProviderName, type ToolNames } from "./tool-names.ts";

type ShownName = (name: string) => string;

const FORMATS: {
  readonly [F in ProviderFormat]: (
    results: readonly ToolResult[],
    shownName: ShownName,
  ) => ProviderMessages[F][];
} = {
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
export function toProviderMessages<F extends ProviderFormat>(
  results: readonly ToolResult[],
  format: F,
  names?: ToolNames,
): ProviderMessages[F][] {
  return FORMATS[knownFormat(format)](results, (name) => names?.shown(name) ?? toProviderName(name, format));
}

import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Capabilities } from "./provider.ts";
import type { SdkMessage } from "./sdk.ts";

type ResultPart = Extract<
  Extract<SdkMessage, { readonly role: "tool" }>["content"][number],
  { readonly type: "tool-result" }
>;

/** The tools of a request that results in its messages bring, by the id of the call. */
export type BroughtTools = ReadonlyMap<string, readonly ModelTool[]>;

/** Returns the tools that results bring, where the provider takes them so. */
export function broughtTools(
  { tools, toolUse }: Pick<ModelRequest, "tools" | "toolUse">,
  { bringsTools }: Capabilities,
): BroughtTools {
  if (bringsTools === undefined) return new Map();
  // No provider lets a request demand a deferred tool.
  const demanded = typeof toolUse === "object" ? toolUse.tool : undefined;
  const brought = tools.filter(({ since, name }) => since !== undefined && name !== demanded);
  // Providers refuse a request whose tools are all deferred.
  if (brought.length === tools.length) return new Map();
  return Map.groupBy(brought, ({ since = "" }) => since);
}

/** Returns the settings for the provider's package that mark a tool as one that a result brings. */
export function deferredTool({ bringsTools }: Capabilities) {
  return bringsTools === "references"
    ? { anthropic: { deferLoading: true } }
    : { openai: { omitFromRequestTools: true } };
}

/** Returns a result with the tools that it brings, and the text that does not fit into it then. */
export function bringTools(
  result: ResultPart,
  tools: readonly ModelTool[],
  { bringsTools }: Capabilities,
): ResultPart {
  if (bringsTools === "definitions")
    return { ...result, providerOptions: { openai: { additionalTools: tools.map(toFunction) } } };
  // The documented form of such a result has nothing but references.
  const value = tools.map(({ name: toolName }) => ({
    type: "custom" as const,
    providerOptions: { anthropic: { type: "tool-reference", toolName } },
  }));
  return { ...result, output: { type: "content", value } };
}

function toFunction({ name, description, input: parameters }: ModelTool): JsonObject {
  return { type: "function", name, ...(description !== "" && { description }), parameters, strict: false };
}

import type { JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { ProviderFormat, ToolNames } from "../types/registry.ts";
import { toAnthropicTool } from "./anthropic.ts";
import { toGoogleTool } from "./google.ts";
import { toMcpTool } from "./mcp.ts";
import { toOpenAiResponsesTool } from "./openai-responses.ts";
import { toOpenAiTool } from "./openai.ts";
import { createToolNames } from "./tool-names.ts";

export interface ProviderToolOptions {
  /** Requests OpenAI's strict mode for tools whose schema has a strict form. */
  readonly strict?: boolean;
  /** The names of a larger set of tools, so that a name does not depend on which tools are active. */
  readonly names?: ToolNames;
}

const FORMATS: Readonly<
  Record<ProviderFormat, (spec: ToolSpec, name: string, strict?: boolean) => JsonObject>
> = {
  openai: toOpenAiTool,
  "openai-responses": toOpenAiResponsesTool,
  anthropic: toAnthropicTool,
  google: toGoogleTool,
  mcp: toMcpTool,
};

/** Returns tools in the form a provider accepts, within its limits on names, descriptions and schemas. Never changes a spec. */
export function toProviderTools(
  specs: readonly ToolSpec[],
  format: ProviderFormat,
  options: ProviderToolOptions = {},
): readonly JsonObject[] {
  const own = specs.map(({ name }) => name);
  const names = options.names ?? createToolNames(own, format);
  return specs.map((spec) => FORMATS[format](spec, names.shown(spec.name), options.strict));
}

/** Returns the `tools` field of a request, or an empty object without tools: providers refuse an empty list. */
export function toToolsField(tools: readonly JsonObject[], format: ProviderFormat): JsonObject {
  if (tools.length === 0) return {};
  return { tools: format === "google" ? [{ functionDeclarations: tools }] : tools };
}

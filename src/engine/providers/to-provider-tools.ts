import type { JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { toAnthropicTool } from "./anthropic.ts";
import { toGoogleTool } from "./google.ts";
import { toMcpTool } from "./mcp.ts";
import { createToolNames } from "./tool-names.ts";
import { toOpenAiResponsesTool } from "./openai-responses.ts";
import { toOpenAiTool } from "./openai.ts";
import type { ProviderFormat, ToolNames } from "../types/provider-format.ts";

export interface ToolShapeOptions {
  /** OpenAI's strict mode, for the tools whose schema has a strict form. */
  readonly strict?: boolean;
  /** The names of a larger set, so that a tool is shown under one name whatever else is active. */
  readonly names?: ToolNames;
}

const SHAPES: Readonly<
  Record<ProviderFormat, (spec: ToolSpec, name: string, strict?: boolean) => JsonObject>
> = {
  openai: toOpenAiTool,
  "openai-responses": toOpenAiResponsesTool,
  anthropic: toAnthropicTool,
  google: toGoogleTool,
  mcp: toMcpTool,
};

/** Tools as a provider is told of them, in order, within its limits on names, descriptions and schemas. Never changes a spec. */
export function toProviderTools(
  specs: readonly ToolSpec[],
  format: ProviderFormat,
  options: ToolShapeOptions = {},
): readonly JsonObject[] {
  const names =
    options.names ??
    createToolNames(
      specs.map(({ name }) => name),
      format,
    );
  return specs.map((spec) => SHAPES[format](spec, names.shown(spec.name), options.strict));
}

/** The part of a request that offers tools; with no tool there is no `tools` field, since an empty one is refused. */
export function toToolsField(tools: readonly JsonObject[], format: ProviderFormat): JsonObject {
  if (tools.length === 0) return {};
  return { tools: format === "google" ? [{ functionDeclarations: tools }] : tools };
}

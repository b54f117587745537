import type { ToolSpec } from "../core/spec.ts";
import type { ProviderFormat, ProviderTools, ToolsField } from "./provider-shapes.ts";
import { toAnthropicTool } from "./anthropic.ts";
import { toGoogleTool } from "./google.ts";
import { toMcpTool } from "./mcp.ts";
import { toOpenAiResponsesTool } from "./openai-responses.ts";
import { toOpenAiTool } from "./openai.ts";
import { createToolNames, knownFormat, type ToolNames } from "./tool-names.ts";

export interface ProviderToolOptions {
  /** Requests OpenAI's strict mode for tools whose schema has a strict form. */
  readonly strict?: boolean;
  /** The names of a larger set of tools, so that a name does not depend on which tools are active. */
  readonly names?: ToolNames;
}

const FORMATS: {
  readonly [F in ProviderFormat]: (spec: ToolSpec, name: string, strict?: boolean) => ProviderTools[F];
} = {
  openai: toOpenAiTool,
  "openai-responses": toOpenAiResponsesTool,
  anthropic: toAnthropicTool,
  google: toGoogleTool,
  mcp: toMcpTool,
};

/** Returns tools in the form a provider accepts, within its limits on names, descriptions and schemas. Never changes a spec. */
export function toProviderTools<F extends ProviderFormat>(
  specs: readonly ToolSpec[],
  format: F,
  options: ProviderToolOptions = {},
): ProviderTools[F][] {
  const convert = FORMATS[knownFormat(format)];
  const own = specs.map(({ name }) => name);
  const names = options.names ?? createToolNames(own, format);
  return specs.map((spec) => convert(spec, names.shown(spec.name), options.strict));
}

/** Returns the `tools` field of a request, or an empty object without tools: providers refuse an empty list. */
export function toToolsField<F extends ProviderFormat>(
  tools: readonly ProviderTools[F][],
  format: F,
): ToolsField<F> {
  if (tools.length === 0) return {} as ToolsField<F>;
  const list = knownFormat(format) === "google" ? [{ functionDeclarations: [...tools] }] : [...tools];
  return { tools: list } as ToolsField<F>;
}

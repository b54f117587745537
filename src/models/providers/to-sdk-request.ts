import { isObject } from "../../core/json.ts";
import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import type { Effort } from "./model-options.ts";
import type { Capabilities } from "./provider.ts";
import type { SdkRequest } from "./sdk.ts";
import { toPrompt } from "./to-prompt.ts";
import { sealSchema } from "./tool-schemas.ts";

/** What a request depends on beside its own content. */
export interface RequestSettings {
  readonly capabilities: Capabilities;
  readonly window: number;
  readonly reasoning: Effort | undefined;
}

type SdkTool = NonNullable<SdkRequest["tools"]>[number];
type Schema = Extract<SdkTool, { readonly type: "function" }>["inputSchema"];

/** Converts a request for the SDK. Without tools it mentions none. */
export function toSdkRequest(
  request: ModelRequest,
  { capabilities, window, reasoning }: RequestSettings,
): SdkRequest {
  const { tools, outputSchema, maxOutputTokens, temperature } = request;
  const isBound = outputSchema !== undefined && (tools.length === 0 || capabilities.schemaWithTools);
  const { settings = () => ({}) } = capabilities;
  return defined({
    prompt: toPrompt(request, capabilities),
    tools: tools.length > 0 ? tools.map((tool) => toTool(tool, capabilities)) : undefined,
    maxOutputTokens,
    temperature,
    responseFormat: isBound
      ? ({ type: "json", schema: outputSchema as Schema, name: "answer" } as const)
      : undefined,
    reasoning,
    providerOptions: settings(window),
  });
}

function toTool({ name, description, input }: ModelTool, { sendsStrictFalse }: Capabilities): SdkTool {
  // A tool without parameters may have no schema, but most providers require an object schema.
  const schema =
    isObject(input) && input["type"] !== undefined ? input : { type: "object", properties: {}, ...input };
  return {
    type: "function",
    name,
    ...(description !== "" && { description }),
    inputSchema: sealSchema(schema) as Schema,
    ...(sendsStrictFalse === true && { strict: false }),
  };
}

import { isObject } from "../../core/json.ts";
import type { ModelRequest, ModelTool, ToolUse } from "../../core/agent/model.ts";
import { broughtTools, deferredTool, type BroughtTools } from "./brought-tools.ts";
import type { Capabilities } from "./provider.ts";
import type { SdkRequest } from "./sdk.ts";
import { defined } from "../../util/json/defined.ts";
import type { Effort } from "./model-options.ts";
import { sealSchema } from "./tool-schemas.ts";
import { toPrompt } from "./to-prompt.ts";

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
  const { tools, outputSchema, maxOutputTokens, temperature, toolUse = "auto" } = request;
  const isBound = outputSchema !== undefined && (tools.length === 0 || capabilities.schemaWithTools);
  const { settings = () => ({}) } = capabilities;
  const brought = broughtTools(request, capabilities);
  return defined({
    prompt: toPrompt(request, capabilities, brought),
    tools: tools.length > 0 ? tools.map((tool) => toTool(tool, capabilities, brought)) : undefined,
    toolChoice: tools.length > 0 && toolUse !== "auto" ? toToolChoice(toolUse) : undefined,
    maxOutputTokens,
    temperature,
    responseFormat: isBound ? ({ type: "json", schema: outputSchema, name: "answer" } as const) : undefined,
    reasoning,
    providerOptions: settings(window),
  });
}

function toToolChoice(use: Exclude<ToolUse, "auto">): NonNullable<SdkRequest["toolChoice"]> {
  return typeof use === "string" ? { type: use } : { type: "tool", toolName: use.tool };
}

function toTool(tool: ModelTool, capabilities: Capabilities, brought: BroughtTools): SdkTool {
  const { name, description, input, since = "" } = tool;
  const { sendsStrictFalse, hasPlainSchemas } = capabilities;
  const isBrought = brought.get(since)?.includes(tool) === true;
  // A tool without parameters may have no schema, but most providers require an object schema.
  const schema =
    isObject(input) && input["type"] !== undefined ? input : { type: "object", properties: {}, ...input };
  return {
    type: "function",
    name,
    ...(description !== "" && { description }),
    inputSchema: (hasPlainSchemas === true ? schema : sealSchema(schema)) as Schema,
    ...(sendsStrictFalse === true && { strict: false }),
    ...(isBrought && { providerOptions: deferredTool(capabilities) }),
  };
}

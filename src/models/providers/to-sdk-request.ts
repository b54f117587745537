import { isObject } from "../../core/json.ts";
import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";
import type { Manner } from "./provider.ts";
import type { Effort, SdkRequest } from "../answer/sdk.ts";
import { sealed } from "./sealed-schema.ts";
import { toPrompt } from "./to-prompt.ts";

export interface Asking {
  readonly manner: Manner;
  readonly window: number;
  readonly reasoning: Effort | undefined;
}

type SdkTool = NonNullable<SdkRequest["tools"]>[number];
type Schema = Extract<SdkTool, { readonly type: "function" }>["inputSchema"];

/** A request as the SDK takes it; without tools it says nothing of tools. */
export function toSdkRequest(request: ModelRequest, { manner, window, reasoning }: Asking): SdkRequest {
  const { tools, outputSchema, maxOutputTokens, temperature } = request;
  const isBound = outputSchema !== undefined && (tools.length === 0 || manner.schemaBesideTools);
  const saysAll = manner.settingsSayAll === true;
  return {
    prompt: toPrompt(request, manner),
    ...(tools.length > 0 && { tools: tools.map((tool) => toTool(tool, manner)) }),
    ...(maxOutputTokens !== undefined && !saysAll && { maxOutputTokens }),
    ...(temperature !== undefined && !saysAll && { temperature }),
    ...(isBound && { responseFormat: { type: "json", schema: outputSchema as Schema, name: "answer" } }),
    ...(reasoning !== undefined && { reasoning }),
    providerOptions: manner.settings(request, window) as NonNullable<SdkRequest["providerOptions"]>,
  };
}

function toTool({ name, description, input }: ModelTool, manner: Manner): SdkTool {
  // A tool without parameters may come without a schema; every provider but one wants an object.
  const schema =
    isObject(input) && input["type"] !== undefined ? input : { type: "object", properties: {}, ...input };
  return {
    type: "function",
    name,
    ...(description !== "" && { description }),
    inputSchema: sealed(schema) as Schema,
    ...(manner.saysNotStrict === true && { strict: false }),
  };
}

export type {
  AiSdkCall,
  AiSdkOutput,
  AiSdkTool,
  AiSdkToolLike,
  AiSdkTools,
} from "../adapters/ai-sdk/ai-sdk-tools.ts";
export { fromAiSdkTools, toAiSdkTools } from "../adapters/ai-sdk/ai-sdk-tools.ts";
export type { EngineAnswer, EngineToolsOptions, TypesOf } from "../adapters/sdk/engine-tools.ts";
export type { ModelOutput, ModelOutputPart } from "../adapters/sdk/model-output.ts";
export type { OpenSchema } from "../adapters/sdk/open-schema.ts";
export type { SdkToolsOptions } from "../adapters/sdk/sdk-tool.ts";

export type {
  AgentsCallDetails,
  AgentsOutputPart,
  AgentsRunContext,
  AgentsTool,
  AgentsToolLike,
} from "../adapters/openai-agents/openai-agents-tools.ts";
export { fromOpenAiAgentsTools, toOpenAiAgentsTools } from "../adapters/openai-agents/openai-agents-tools.ts";
export type { EngineToolsOptions, TypesOf } from "../adapters/sdk/engine-tools.ts";
export type { SdkToolsOptions } from "../adapters/sdk/sdk-tool.ts";

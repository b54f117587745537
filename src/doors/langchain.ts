export type {
  LangChainRequest,
  LangChainTool,
  LangChainToolsOptions,
} from "../adapters/langchain/langchain-tools.ts";
export { fromLangChainTools, toLangChainTools } from "../adapters/langchain/langchain-tools.ts";
export type { EngineToolsOptions, TypesOf } from "../adapters/sdk/engine-tools.ts";
export type { SdkToolsOptions } from "../adapters/sdk/sdk-tool.ts";

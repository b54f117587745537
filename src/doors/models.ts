export type {
  AssistantMessage,
  AssistantPart,
  Message,
  Sender,
  ToolMessage,
  UserMessage,
} from "../core/agent/message.ts";
export { callsOf } from "../core/agent/message.ts";
export type {
  Model,
  ModelFormat,
  ModelPart,
  ModelRequest,
  ModelTool,
  Price,
  StopReason,
  ToolUse,
  Usage,
} from "../core/agent/model.ts";
export type { Effort, ModelOptions, RetryOptions } from "../models/providers/model-options.ts";
export type { AdaptOptions, LanguageModel } from "../models/adapt.ts";
export { adapt } from "../models/adapt.ts";
export { openModel } from "../models/open-model.ts";
export type { EndReason } from "../models/text-calls/read/context.ts";
export { createTextReader } from "../models/text-calls/create-text-reader.ts";
export type { TextReader, TextReaderOptions } from "../models/text-calls/create-text-reader.ts";
export { DIALECT_NAMES } from "../models/text-calls/dialects/dialects.ts";
export type { DialectName } from "../models/text-calls/dialects/dialects.ts";
export type { Piece, TextCall, Unlisted } from "../models/text-calls/read/emitter.ts";
export { renderCall, renderCalls, renderPrompt, renderResults } from "../models/text-calls/write/render.ts";
export type { WrittenCall } from "../models/text-calls/write/render.ts";
export type { KnownTool } from "../models/text-calls/read/tool-table.ts";
export { withTextCalls } from "../models/text-model.ts";
export type { TextCallOptions } from "../models/text-model.ts";

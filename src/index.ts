export type { GroupState, ToolList } from "./core/session/active-tools.ts";
export { ActiveTools } from "./core/session/active-tools.ts";
export type { Approval, ApprovalRequest, Approver, PendingCall, Question } from "./core/approval.ts";
export type { Artifacts } from "./core/store/artifacts.ts";
export { ArtifactsKey } from "./core/store/artifacts.ts";
export type { ToolCall } from "./core/call.ts";
export type { Collection, Collections } from "./core/store/collection.ts";
export type { Content, ReplyParts, Shape, Truncated } from "./core/content.ts";
export type { Cuts } from "./core/cuts.ts";
export { Reply, image } from "./core/content.ts";
export type {
  AgentInfo,
  InnerCall,
  InnerOptions,
  Key,
  Progress,
  Provided,
  ToolContext,
} from "./core/context.ts";
export { CurrentAgent, createKey, provide, provideFor } from "./core/context.ts";
export type { Conversation, InstructionPart, Said } from "./core/agent/conversation.ts";
export { ConversationKey } from "./core/agent/conversation.ts";
export { tool, toolsOf } from "./adapters/classes/decorator.ts";
export type { StandardSchema } from "./schema/define/standard-schema.ts";
export type {
  InputOf,
  InputSchema,
  OutputOf,
  OutputSchema,
  TypeBoxSchema,
} from "./schema/define/tool-types.ts";
export type { ToolDefinition } from "./schema/define/define-tool.ts";
export { defineTool } from "./schema/define/define-tool.ts";
export type { ErrorCode, ToolErrorOptions } from "./core/errors.ts";
export { ERROR_CODES, ToolError } from "./core/errors.ts";
export type { EngineEvent, Listener, Subscribe } from "./core/events.ts";
export type { Around, Executor } from "./core/executor.ts";
export type { CommandReading, PathWord } from "./core/command.ts";
export type { CommandFact, Fact, PathFact } from "./core/fact.ts";
export type { GrantOffer, Grants, GrantScope } from "./core/grant.ts";
export type { IsHidden } from "./core/session/hidden-paths.ts";
export { HiddenPaths, ProtectedPaths } from "./core/session/hidden-paths.ts";
export type { UntrustedTexts } from "./core/session/untrusted-texts.ts";
export type { FileAccess } from "./core/session/file-access.ts";
export { FileAccessKey } from "./core/session/file-access.ts";
export type { BrowserAccess, Processes, Settings } from "./core/session/host-keys.ts";
export { BrowserKey, ProcessesKey, SettingsKey } from "./core/session/host-keys.ts";
export type { ChangedFile, Hook, HookPoint } from "./core/hook.ts";
export type { Job } from "./core/job.ts";
export type { Journal } from "./core/store/journal.ts";
export type { Json, JsonObject, JsonSchema } from "./core/json.ts";
export type { AfterUntrustedText, Border, Ceiling, Mode, Policy } from "./core/policy.ts";
export type { Approvers, People, Subject } from "./core/subject.ts";
export type { Verdict } from "./core/verdict.ts";
export type {
  Answer,
  Failure,
  Fault,
  FaultDetails,
  Problem,
  ResultOf,
  Success,
  ToolResult,
} from "./core/result.ts";
export { detailsOf } from "./core/result.ts";
export type { Rule } from "./core/rule.ts";
export type { Infer, NumberRules, Schema, TextRules } from "./schema/define/schema.ts";
export {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
} from "./schema/define/schema.ts";
export type { SessionScope } from "./core/session/session.ts";
export { SessionKey } from "./core/session/session.ts";
export type { Skills } from "./core/skills.ts";
export type { SourceProblem, ToolSource } from "./core/source.ts";
export type { Effects, Limits, Risk, ToolSpec } from "./core/spec.ts";
export type {
  Alias,
  Attributes,
  InputPiece,
  Parsed,
  AnyTool,
  Tool,
  ToolOutput,
  ToolRef,
} from "./core/tool.ts";
export type { AddOptions } from "./engine/types/registry.ts";
export type {
  CallInput,
  CallData,
  Engine,
  EngineSession,
  EngineWith,
  Explanation,
  SessionOptions,
} from "./engine/types/engine.ts";
export type { EngineOptions, ResolvePath, Retry, Run, RunAll } from "./engine/types/options.ts";
export { toEnvelope } from "./engine/answer/envelope.ts";
export type {
  ResumeOptions,
  RunAllOptions,
  RunOptions,
  RunOrder,
  SuspendOptions,
} from "./engine/types/options.ts";
export { overridable, preset } from "./engine/registry/presets.ts";
export type { HostOptions } from "./app/host/create-engine.ts";
export { createEngine } from "./app/host/create-engine.ts";
export type {
  MessagesWithCalls,
  ProviderFormat,
  ProviderMessages,
  ProviderTools,
  ToolsField,
} from "./formats/provider-shapes.ts";
export { callsFrom } from "./formats/calls-from.ts";
export type { Groups, OverridablePreset, PlainPreset, Sources, ToolLimit } from "./engine/types/registry.ts";
export type { ChatFormat, ModelTurn } from "./adapters/loop/answer-calls.ts";
export { answerCalls } from "./adapters/loop/answer-calls.ts";
export { s } from "./schema/define/builder.ts";
export type { ToolNames } from "./formats/tool-names.ts";
export { toProviderMessages } from "./formats/to-provider-messages.ts";
export { toToolsField } from "./formats/to-provider-tools.ts";
export { fromFlatSchema } from "./sources/external/flat-schema.ts";
export type { FlatSchema } from "./sources/external/flat-schema.ts";
export type { MethodDefinition } from "./adapters/classes/decorator.ts";
export type { Masker } from "./secrets/mask.ts";

export type { GroupState, ToolChoice, ToolList } from "./core/session/active-tools.ts";
export { ActiveTools } from "./core/session/active-tools.ts";
export type {
  Approval,
  ApprovalRequest,
  Approver,
  InnerRequest,
  PendingCall,
  Question,
} from "./core/approval.ts";
export type {
  ArtifactInfo,
  ArtifactMatch,
  ArtifactSlice,
  ArtifactWriter,
  Artifacts,
} from "./core/store/artifacts.ts";
export { ArtifactsKey } from "./core/store/artifacts.ts";
export type { ToolCall } from "./core/call.ts";
export type {
  Collection,
  CollectionOptions,
  Collections,
  Document,
  ListOptions,
} from "./core/store/collection.ts";
export type { Content, ReplyParts, ResourceLink, Shape, Truncated } from "./core/content.ts";
export type { Cut, Cuts } from "./core/cuts.ts";
export { Reply, image } from "./core/content.ts";
export type { Agent, InnerCall, InnerOptions, Key, Progress, Provided, ToolContext } from "./core/context.ts";
export { CurrentAgent, createKey, provide, provideFor } from "./core/context.ts";
export type { Conversation, InstructionPart, Said } from "./core/agent/conversation.ts";
export { ConversationKey } from "./core/agent/conversation.ts";
export { tool, toolsOf } from "./schema/define/decorator.ts";
export type {
  InputOf,
  InputSchema,
  OutputOf,
  OutputSchema,
  StandardIssue,
  StandardOutcome,
  StandardSchema,
  ToolDefinition,
} from "./schema/define/define-tool.ts";
export { defineTool } from "./schema/define/define-tool.ts";
export type { ErrorCode, ToolErrorOptions } from "./core/errors.ts";
export { ERROR_CODES, ToolError } from "./core/errors.ts";
export type { Event, EventBody, EventOrigin, Listener, Subscribe } from "./core/events.ts";
export type { Around, Executor, PlacedTool, WrappedCall } from "./core/executor.ts";
export type { CommandReading, PathWord, Redirect, SimpleCommand, Word } from "./core/command.ts";
export type { CommandFact, Fact, HostFact, McpFact, PathFact } from "./core/fact.ts";
export type { Grant, GrantOffer, GrantQuery, Grants, GrantScope } from "./core/grant.ts";
export type { IsHidden } from "./core/session/hidden-paths.ts";
export { HiddenPaths } from "./core/session/hidden-paths.ts";
export type { FileAccess, FileVersion, SeenFile } from "./core/session/file-access.ts";
export { FileAccessKey } from "./core/session/file-access.ts";
export type { ProcessInfo, Processes, Settings } from "./core/session/host-keys.ts";
export { ProcessesKey, SettingsKey } from "./core/session/host-keys.ts";
export type { ChangedFile, Hook, HookDecision, HookMoment, HookPoint } from "./core/hook.ts";
export type { Job } from "./core/job.ts";
export type {
  ApprovalTrace,
  CallRecord,
  CallTrace,
  ClaimedCall,
  Journal,
  JournalEntry,
  JournalQuery,
  ReceivedCall,
} from "./core/store/journal.ts";
export type { Json, JsonObject, JsonSchema } from "./core/json.ts";
export type { Ceiling, Circumstances, Mode, Policy } from "./core/policy.ts";
export type { Verdict } from "./core/verdict.ts";
export type {
  Answer,
  Failure,
  Fault,
  FaultDetails,
  Meta,
  Problem,
  ProcessDetails,
  ResultOf,
  Success,
  ToolResult,
} from "./core/result.ts";
export { detailsOf } from "./core/result.ts";
export type { Decision, Rule, RuleExample } from "./core/rule.ts";
export type { Infer, InferGiven, NumberRules, Schema, TextRules } from "./schema/define/schema.ts";
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
export type { SessionResource, SessionScope } from "./core/session/session.ts";
export { Session } from "./core/session/session.ts";
export type { LoadedSkill, Skill, Skills } from "./core/skills.ts";
export type { Loaded, SourceProblem, SourceState, ToolSource } from "./core/source.ts";
export type { Effects, Limits, Place, Risk, ToolSpec } from "./core/spec.ts";
export type { Alias, Attributes, InputPiece, Parsed, Tool, ToolOutput, ToolRef } from "./core/tool.ts";
export type { AddOptions, GroupOptions } from "./engine/types/registry.ts";
export type { Engine, EngineSession, Explanation, SessionOptions } from "./engine/types/engine.ts";
export type {
  EngineOptions,
  Order,
  ResolvePath,
  Resumed,
  Retry,
  Run,
  RunAll,
  Slot,
} from "./engine/types/options.ts";
export { toEnvelope } from "./engine/answer/envelope.ts";
export type { CallOptions, ResumeOptions, RunOptions, SuspendOptions } from "./engine/types/options.ts";
export { overridable, preset } from "./engine/registry/presets.ts";
export type { RunAllOptions } from "./engine/types/options.ts";
export type { HostOptions } from "./app/host/create-engine.ts";
export { createEngine } from "./app/host/create-engine.ts";
export type {
  AnthropicBlock,
  AnthropicImage,
  AnthropicPart,
  AnthropicResult,
  GoogleCall,
  GoogleContent,
  GooglePart,
  GoogleSchema,
  McpContent,
  MessagesWithCalls,
  ObjectSchema,
  OpenAiCall,
  OpenAiMessage,
  OpenAiFunction,
  OpenAiOutputPart,
  OpenAiPart,
  ProviderFormat,
  ProviderMessages,
  ProviderTools,
  ResponsesItem,
  Text,
  ToolsField,
} from "./engine/types/provider-shapes.ts";
export { callsFrom } from "./engine/providers/calls-from.ts";
export type {
  AddSourceOptions,
  Groups,
  OverridablePreset,
  PlainPreset,
  Presets,
  RefreshOutcome,
  Sources,
  ToolNames,
} from "./engine/types/registry.ts";
export { toProviderMessages } from "./engine/providers/to-provider-messages.ts";
export { toToolsField } from "./engine/providers/to-provider-tools.ts";
export { fromFlatSchema } from "./schema/define/flat-schema.ts";
export type { FlatSchema } from "./schema/define/flat-schema.ts";
export type { MethodDefinition } from "./schema/define/decorator.ts";
export type { MaskedStream, Masker } from "./util/text/mask.ts";

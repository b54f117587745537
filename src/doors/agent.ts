export type { AgentEvent, AgentEventBody, AgentListener } from "../agent/runtime/agent-events.ts";
export type { Budget, BudgetKind, Level, SharedSpent, Spent } from "../agent/budget/budget.ts";
export { createAgent } from "../agent/create-agent.ts";
export { defaultInstructions } from "../agent/prompt/default-instructions.ts";
export type {
  AgentOptions,
  AgentTeam,
  ContextPart,
  ContextUse,
  RunningAgent,
  SendOptions,
  TurnInfo,
  TurnSettings,
} from "../agent/runtime/running-agent.ts";
export type { Outcome } from "../agent/runtime/outcome.ts";
export { exportJson } from "../agent/sessions/export.ts";
export { exportMarkdown } from "../agent/sessions/export.ts";
export { openTranscripts } from "../agent/sessions/open-transcripts.ts";
export type { Entry, EntryBody, NewSession, SessionInfo, Transcripts } from "../agent/sessions/transcript.ts";
export { createTeam } from "../agent/team/create-team.ts";
export type {
  MemberOptions,
  RootOptions,
  TeamEvent,
  TeamHandle,
  TeamLimits,
  TeamListener,
  TeamOptions,
} from "../agent/team/team-handle.ts";
export { createMemoryCollections } from "../util/json/memory-collections.ts";
export type { InstructionsOptions } from "../agent/prompt/default-instructions.ts";
export type { AgentState, TeamMember, TeamMessage } from "../core/agent/team.ts";

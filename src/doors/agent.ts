export type { AgentEvent, AgentListener } from "../agent/runtime/agent-events.ts";
export type { Budget, BudgetKind, Spent } from "../agent/budget/budget.ts";
export { createAgent } from "../agent/create-agent.ts";
export { defaultInstructions } from "../agent/prompt/default-instructions.ts";
export type { AgentOptions, Outcome, RunningAgent } from "../agent/runtime/running-agent.ts";
export { exportJson } from "../agent/sessions/export.ts";
export { exportMarkdown } from "../agent/sessions/export.ts";
export { openTranscripts } from "../agent/sessions/open-transcripts.ts";
export type { Entry, SessionInfo, Transcripts } from "../agent/sessions/transcript.ts";
export { createTeam } from "../agent/team/create-team.ts";
export type {
  MemberOptions,
  TeamEvent,
  TeamHandle,
  TeamLimits,
  TeamOptions,
} from "../agent/team/team-handle.ts";
export { createMemoryCollections } from "../util/json/memory-collections.ts";

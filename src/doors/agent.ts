export type { AgentEvent, AgentListener } from "../agent/agent-events.ts";
export type { Budget, BudgetKind, Spent } from "../agent/budget.ts";
export { createAgent } from "../agent/create-agent.ts";
export { defaultInstructions } from "../agent/prompt/default-instructions.ts";
export type { AgentOptions, Outcome, RunningAgent } from "../agent/running-agent.ts";
export { exportJson } from "../agent/sessions/export-json.ts";
export { exportMarkdown } from "../agent/sessions/export-markdown.ts";
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
export { createMemoryCollections } from "../util/memory-collections.ts";

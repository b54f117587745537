import { createListeners } from "../../util/async/listeners.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { Message, Sender } from "../../core/agent/message.ts";
import type { Usage } from "../../core/agent/model.ts";
import type { Fault } from "../../core/result.ts";
import type { AgentState } from "../../core/agent/team.ts";
import type { Level } from "../budget/budget.ts";

/** What happens to an agent, except its calls: the engine emits those. All text is masked. */
export type AgentEvent = { readonly session: string; readonly agentId: string } & AgentEventBody;

/** What an event says, by its `type`. */
export type AgentEventBody =
  | { readonly type: "agent.state"; readonly state: AgentState; readonly reason?: string }
  | { readonly type: "turn.started"; readonly turn: number; readonly traceId: string }
  | { readonly type: "model.text"; readonly text: string }
  | { readonly type: "model.reasoning"; readonly text: string }
  | {
      readonly type: "model.retried";
      readonly attempt: number;
      readonly waitMs: number;
      readonly message: string;
    }
  /** A message was added to the conversation and stored. */
  | { readonly type: "message.added"; readonly message: Message }
  | {
      readonly type: "turn.ended";
      readonly turn: number;
      readonly usage: Usage;
      readonly cost: number | undefined;
    }
  | { readonly type: "message.queued"; readonly from: Sender | undefined; readonly text: string }
  | ({ readonly type: "budget.warned" } & Level)
  | ({ readonly type: "budget.spent" } & Level)
  | { readonly type: "loop.suspected"; readonly description: string }
  /** A hook's prompt is not given to the model: the hook triggers itself, or hooks have sent too many prompts in one task. */
  | {
      readonly type: "prompt.dropped";
      readonly hook: string;
      readonly why: "itself" | "many";
      readonly text: string;
    }
  /** The first request is sent without the tools of these sources; later requests have them. */
  | { readonly type: "tools.late"; readonly sources: readonly string[] }
  | { readonly type: "session.compacted"; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: "agent.failed"; readonly code: ErrorCode; readonly fault: Fault };

/** Receives every event, in order. Its errors are ignored. */
export type AgentListener = (event: AgentEvent) => void;

export type AgentListeners = ReturnType<typeof createAgentListeners>;

export function createAgentListeners(about: Pick<AgentEvent, "session" | "agentId">) {
  const { add, emit } = createListeners<[AgentEvent]>();
  return { add, emit: (event: AgentEventBody): void => emit({ ...about, ...event }) };
}

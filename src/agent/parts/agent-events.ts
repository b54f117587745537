import type { ErrorCode } from "../../core/errors.ts";
import type { Message, Sender } from "../../core/agent/message.ts";
import type { Usage } from "../../core/agent/model.ts";
import type { Fault } from "../../core/result.ts";
import type { AgentState } from "../../core/agent/team.ts";
import type { BudgetKind } from "../budget/limits/budget.ts";

/** Everything that happens to an agent beside its calls, which the engine tells of. Text in it is already masked. */
export type AgentEvent = { readonly session: string; readonly agentId: string } & AgentEventBody;

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
  /** A message became part of the conversation, and is kept. */
  | { readonly type: "message.added"; readonly message: Message }
  | {
      readonly type: "turn.ended";
      readonly turn: number;
      readonly usage: Usage;
      readonly cost: number | undefined;
    }
  | { readonly type: "message.queued"; readonly from: Sender | undefined; readonly text: string }
  | {
      readonly type: "budget.warned";
      readonly kind: BudgetKind;
      readonly used: number;
      readonly limit: number;
    }
  | {
      readonly type: "budget.spent";
      readonly kind: BudgetKind;
      readonly used: number;
      readonly limit: number;
    }
  | { readonly type: "loop.suspected"; readonly description: string }
  /** What a hook wanted is not given to the model: the hook sets itself off, or hooks have asked for too much in one task. */
  | {
      readonly type: "prompt.dropped";
      readonly hook: string;
      readonly why: "itself" | "many";
      readonly text: string;
    }
  | { readonly type: "session.compacted"; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: "agent.failed"; readonly code: ErrorCode; readonly fault: Fault };

/** Hears every event, in order. What it throws is dropped. */
export type AgentListener = (event: AgentEvent) => void;

import type { Approval, Question } from "../../core/approval.ts";
import type { Collections } from "../../core/store/collection.ts";
import type { Content } from "../../core/content.ts";
import type { Agent, Provided } from "../../core/context.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Message, Sender, UserMessage } from "../../core/agent/message.ts";
import type { Model } from "../../core/agent/model.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Fault } from "../../core/result.ts";
import type { Skills } from "../../core/skills.ts";
import type { AgentState } from "../../core/agent/team.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { AgentListener } from "./agent-events.ts";
import type { Budget, BudgetKind, SharedSpent, Spent } from "../budget/limits/budget.ts";

export interface AgentOptions {
  readonly engine: Engine;
  readonly model: Model;
  /** Where the conversation, goals and reasoning are kept. */
  readonly collections: Collections;
  /** Says what became of calls that a process left open; left out: nobody knows, and they are answered so. */
  readonly journal?: Journal;
  /** A session that is kept already is taken up where it was left. */
  readonly session: string;
  /** The session whose tools, groups and grants bound this one's. */
  readonly parentSession?: string;
  readonly identity: Agent;
  /** The canonical folder the agent works in; sessions are listed by it. */
  readonly workspace: string;
  /** What the agent is told first, before its goals, skills and decisions. */
  readonly instructions: string;
  readonly skills?: Skills;
  readonly budget?: Budget;
  /** What those who work for the agent have spent since they began: its budget of tokens and money is theirs too. */
  readonly spentByOthers?: () => SharedSpent;
  /** Outermost first. */
  readonly ceilings?: readonly Ceiling[];
  /** In the context of every call. */
  readonly context?: readonly Provided[];
  /** Messages that wait for the agent; asked before every request to the model, and when it is done. Each is given once. */
  readonly incoming?: () => Promise<readonly UserMessage[]>;
  /** Asks whoever may say whether a task that goes in circles shall go on; left out: the model is told once, then it stops. */
  readonly ask?: (question: Question, signal: AbortSignal) => Promise<Approval>;
  /** The last answer must be JSON of this schema. */
  readonly outputSchema?: JsonObject;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

/** What came of a message. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly text: string;
      /** Where an output schema was given. */ readonly data?: Json;
    }
  | { readonly kind: "stopped"; readonly why: "cancelled" | "loop" | BudgetKind; readonly detail: string }
  | { readonly kind: "failed"; readonly fault: Fault };

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly from?: Sender;
  /** True: it is no new task, and what the last one has left of its budget must do. */
  readonly goesOn?: boolean;
}

/** An agent with its conversation. */
export interface RunningAgent {
  readonly identity: Agent;
  readonly session: string;
  readonly state: AgentState;
  /**
   * Adds a message and takes turns until the model is done, the budget is spent or it is cancelled. Never rejects. What is
   * sent while it works is read before the next request to the model, and ends with the same outcome. A message without
   * content adds nothing: the agent looks for what waits for it, and goes on where it was left before the model had its say.
   */
  send(message: string | readonly Content[], options?: SendOptions): Promise<Outcome>;
  /** Ends what is running; its outcome is `stopped`. False where nothing runs. */
  cancel(reason?: string): boolean;
  /** What the model would be sent now: after a compaction, what is left of it. */
  messages(): readonly Message[];
  /** By the session, from its beginning; a budget counts from the beginning of each task. Only time is of this process alone. */
  spent(): Spent;
  /** Another model from the next request on. */
  use(model: Model): void;
  /** Makes the conversation shorter, while it works before its next request; false where there is nothing to leave out. */
  compact(signal?: AbortSignal): Promise<boolean>;
  on(listener: AgentListener): () => void;
  /** Cancels what runs and lets go of the engine's session; what was kept stays. */
  close(): Promise<void>;
}

import type { Model } from "../../core/agent/model.ts";
import type { Conversation } from "../../core/agent/conversation.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import type { AgentEventBody } from "./agent-events.ts";
import type { AgentStates } from "./agent-states.ts";
import type { OutputCheck } from "./check-output.ts";
import type { HeldSession } from "./held-session.ts";
import type { Ledger } from "../budget/limits/ledger.ts";
import type { AgentOptions } from "./running-agent.ts";
import type { Task } from "./task.ts";

/** What an agent consists of, whatever it is busy with. */
export interface AgentParts {
  readonly options: AgentOptions;
  readonly session: HeldSession;
  readonly states: AgentStates;
  readonly ledger: Ledger;
  readonly goals: Goals;
  /** The session as the agent's own tools may see it. */
  readonly conversation: Conversation;
  /** Where an output schema was given. */
  readonly checkOutput: OutputCheck | undefined;
  /** The one that the next request goes to. */
  readonly model: () => Model;
  readonly tell: (event: AgentEventBody) => void;
  /** Does what has waited for a moment in which no request and no call is under way. */
  readonly doBetweenTurns: (task: Task) => Promise<void>;
}

/** What the session works on, as it was when it was read last. */
export interface Goals {
  book(): GoalBook;
  read(): Promise<GoalBook>;
}

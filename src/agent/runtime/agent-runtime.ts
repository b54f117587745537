import type { Model } from "../../core/agent/model.ts";
import type { Conversation } from "../../core/agent/conversation.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import type { Ledger } from "../budget/ledger.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import type { AgentEventBody } from "./agent-events.ts";
import type { AgentStates } from "./agent-states.ts";
import type { OutputCheck } from "./check-output.ts";
import type { AgentOptions } from "./running-agent.ts";
import type { Task } from "./task.ts";

/** The parts of an open agent that its tasks share. */
export interface AgentRuntime {
  readonly options: AgentOptions;
  readonly session: LiveSession;
  readonly states: AgentStates;
  readonly ledger: Ledger;
  readonly goals: Goals;
  /** The session as the agent's own tools can read and change it. */
  readonly conversation: Conversation;
  /** Set if an output schema was given. */
  readonly checkOutput: OutputCheck | undefined;
  /** Returns the model for the next request. */
  readonly model: () => Model;
  readonly emit: (event: AgentEventBody) => void;
  /** Runs queued work; called when no request and no call is running. */
  readonly runBetweenTurns: (task: Task) => Promise<void>;
}

/** The goals and decisions of a session. */
export interface Goals {
  /** Returns them as they were read last. */
  book(): GoalBook;
  read(): Promise<GoalBook>;
}

import type { Approval, Question } from "../../core/approval.ts";
import type { Collections } from "../../core/store/collection.ts";
import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { Content } from "../../core/content.ts";
import type { AgentInfo, Provided } from "../../core/context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Message, Sender, UserMessage } from "../../core/agent/message.ts";
import type { Model, ToolUse } from "../../core/agent/model.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Skills } from "../../core/skills.ts";
import type { AgentState } from "../../core/agent/team.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { ToolLimit } from "../../engine/types/registry.ts";
import type { AgentListener } from "./agent-events.ts";
import type { Outcome } from "./outcome.ts";
import type { Budget, SharedSpent, Spent } from "../budget/budget.ts";

/** What an agent needs, and its limits. */
export interface AgentOptions {
  /** Runs the calls of the agent, under its policy. */
  readonly engine: Engine;
  /** Answers until `use` sets another one. */
  readonly model: Model;
  /** Stores the conversation, goals and reasoning. */
  readonly collections: Collections;
  /** Has the results of calls that an earlier process left open; without it they are answered as interrupted. */
  readonly journal?: Journal;
  /** A stored session is continued. */
  readonly session: string;
  /** The session whose tools, groups and grants limit this one's. */
  readonly parentSession?: string;
  readonly identity: AgentInfo;
  /** The canonical path of the folder the agent works in; sessions are listed by it. */
  readonly workspace: string;
  /** The first part of the system prompt, before goals, skills and decisions; in parts, so that `context` counts each of them. */
  readonly instructions: string | readonly InstructionPart[];
  readonly skills?: Skills;
  /** The limits of each task. Default: none. */
  readonly budget?: Budget;
  /** Returns what agents below this one have spent in total; it counts against this agent's tokens and money. */
  readonly spentByOthers?: () => SharedSpent;
  /** The team that the agent is the root or a child of. */
  readonly team?: AgentTeam;
  /** Outermost first. */
  readonly ceilings?: readonly Ceiling[];
  /** Added to the context of every call. */
  readonly context?: readonly Provided[];
  /** Returns messages that wait for the agent, each once; called before every request to the model and at the end of a task. */
  readonly incoming?: () => Promise<readonly UserMessage[]>;
  /**
   * Called before every request to the model, which waits for it: for tools that are still loading. Returns the sources whose tools the
   * request lacks; the agent reports each of them once.
   */
  readonly ready?: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * Called before every request to the model: returns what has changed since it was last called that the model should know, such as the
   * approval mode. It becomes a message of the conversation, since the system prompt stays as it was.
   */
  readonly news?: () => string | undefined;
  /** How many tools a request has at most. Default: what the model's provider takes, and a tenth of the model's window. */
  readonly toolLimit?: Partial<Pick<ToolLimit, "tools" | "tokens">>;
  /** Called before every turn: limits its tools, or demands a call. Default: all active tools, and the model decides. */
  readonly eachTurn?: (turn: TurnInfo) => TurnSettings | undefined | Promise<TurnSettings | undefined>;
  /** Asks whether a task that repeats itself may continue; without it the model is told once, then the task stops. */
  readonly ask?: (question: Question, signal: AbortSignal) => Promise<Approval>;
  /** The last answer must be JSON of this schema. */
  readonly outputSchema?: JsonObject;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

/** A turn that is about to begin. */
export interface TurnInfo {
  /** The number of the turn in its task, from 1. */
  readonly turn: number;
  /** The messages of the request. */
  readonly messages: readonly Message[];
}

/** The limits of one turn. */
export interface TurnSettings {
  /** The names of the only tools that the model is shown and that run in this turn; `*` matches any part. */
  readonly tools?: readonly string[];
  /** Default: auto. */
  readonly toolUse?: ToolUse;
}

/** Connects an agent to its team. Nothing in it rejects or throws. */
export interface AgentTeam {
  /** Called when a task starts; true if it continues the last one with what is left of its budget. */
  taskStarted(isContinued: boolean): void;
  /** Called with the outcome of a task, before `send` settles with it. */
  taskEnded(outcome: Outcome): Promise<void>;
  /** Cancels the agents below a root; false if there are none. */
  cancel(reason: string): boolean;
  /** Called when the tasks of a closing agent have ended; ends the agents below a root. */
  close(): Promise<void>;
}

/** How a message is sent. */
export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly from?: Sender;
  /** True: the message continues the last task, with what is left of its budget. */
  readonly goesOn?: boolean;
}

/** A part of the next request. */
export interface ContextPart {
  /** The system prompt, the tools, or the messages. */
  readonly kind: "prompt" | "tools" | "messages";
  /**
   * Of the prompt the name of a part; of tools their group, or their source if it is not built in; of messages `user`, `assistant`,
   * `results`, `attachments` or `summary`.
   */
  readonly name: string;
  /** How many tools, messages or attachments it has. */
  readonly count: number;
  /** As estimated, without a tokenizer: rather too high. */
  readonly tokens: number;
}

/** How much of the model's window the next request takes. */
export interface ContextUse {
  /** In the order of the request. */
  readonly parts: readonly ContextPart[];
  /** The input tokens of the last request, as its provider counted them; undefined before the first answer. */
  readonly countedTokens?: number;
}

/** An agent with its conversation. */
export interface RunningAgent extends AsyncDisposable {
  readonly identity: AgentInfo;
  readonly session: string;
  readonly state: AgentState;
  /**
   * Adds a message and takes turns until the model is done, the budget is spent or the task is cancelled. Never rejects. A message
   * sent during a task is read before the next request to the model and has the same outcome. A message without content adds
   * nothing: the agent reads its incoming messages and continues a conversation that ends without the model's answer.
   */
  send(message: string | readonly Content[], options?: SendOptions): Promise<Outcome>;
  /** Ends the running task with the outcome `stopped`; false if no task is running. */
  cancel(reason?: string): boolean;
  /**
   * Removes messages of the person that wait for the next request, the last `count` or all of them, and returns them, oldest first. Their
   * `send` settles with the outcome of the task.
   */
  takeBack(count?: number): readonly (readonly Content[])[];
  /** Returns the messages of the next request; after a compaction, the summary and the messages after it. */
  messages(): readonly Message[];
  /** Returns the parts of the next request and their estimated sizes. */
  context(): Promise<ContextUse>;
  /** Returns what the session has spent since it was created; only the time is of this process alone. */
  spent(): Spent;
  /** Sets the model for the next request. */
  use(model: Model): void;
  /** Replaces old messages by a summary, during a task between two turns; false if nothing can be left out. */
  compact(signal?: AbortSignal): Promise<boolean>;
  /** Calls the listener on every event; returns a function that removes it. */
  on(listener: AgentListener): () => void;
  /** Cancels the running task and closes the engine's session; stored data stays. */
  close(): Promise<void>;
}

/** Returns the agent with another `send`. */
export function withSend(agent: RunningAgent, send: RunningAgent["send"]): RunningAgent {
  return {
    ...agent,
    get state() {
      return agent.state;
    },
    send,
  };
}

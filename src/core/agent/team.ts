import type { Agent, Key, Progress } from "../context.ts";
import { createKey } from "../context.ts";

/** What an agent is doing. */
export type AgentState =
  | "idle"
  | "waiting_for_model"
  | "executing_tools"
  | "waiting_for_approval"
  | "waiting_for_message"
  | "done"
  | "failed";

/** One agent of a team, as the others may see it. */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | undefined;
  readonly task: string;
  readonly state: AgentState;
  /** What it found, once it has finished. */
  readonly result: string | undefined;
}

export const MESSAGE_TYPES = ["query", "instruction", "information"] as const;
export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/** What one agent tells another. `result` and `crash` are written by the team itself. */
export interface TeamMessage {
  readonly id: string;
  readonly from: Agent;
  readonly to: string;
  readonly type: (typeof MESSAGE_TYPES)[number] | "result" | "crash";
  readonly priority: (typeof PRIORITIES)[number];
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface NewMember {
  readonly by: Agent;
  readonly name: string;
  readonly task: string;
  /** The child is told what its parent's conversation was about. */
  readonly inheritsContext: boolean;
  readonly skills: readonly string[];
}

export interface Errand {
  readonly by: Agent;
  readonly task: string;
  /** The only tools it may use, of those its parent may; left out: all of these. */
  readonly tools?: readonly string[];
  readonly maxTurns?: number;
  readonly signal: AbortSignal;
  readonly emit: (progress: Progress) => void;
}

/** What came of an errand. */
export interface Report {
  readonly agentId: string;
  readonly text: string;
  readonly turns: number;
  readonly calls: number;
}

export interface Waiting {
  readonly by: Agent;
  readonly timeoutMs: number;
  /** Only from these agents. */
  readonly from?: readonly string[];
  readonly signal: AbortSignal;
}

/** Agents that work together. What goes wrong is thrown as a `ToolError`. */
export interface Team {
  /** Starts a child that works on its own; its result comes as a message. */
  create(member: NewMember): Promise<TeamMember>;
  /** Runs a child to its end. */
  delegate(errand: Errand): Promise<Report>;
  send(message: Omit<TeamMessage, "id" | "at">): Promise<TeamMessage>;
  /** The messages that wait, the most urgent first, or the first that comes; none when the time is over. */
  wait(waiting: Waiting): Promise<readonly TeamMessage[]>;
  /** Every agent, parents before their children. */
  members(): readonly TeamMember[];
  /** Ends the caller's own work; its parent is told. */
  finish(done: {
    readonly by: Agent;
    readonly summary: string;
    readonly findings: readonly string[];
    readonly success: boolean;
  }): Promise<void>;
}

/** There only where an agent of a team runs the call. */
export const TeamKey: Key<Team> = createKey("Team");

/** What a running call may tell of its agent. Supplied by the loop. */
export interface AgentControl {
  /** The agent waits for a message until the returned function is called. */
  waitsForMessage(): () => void;
  /** No further request is made to the model: with this turn the agent's work is done. */
  finish(): void;
}

/** There only where an agent runs the call. */
export const AgentControlKey: Key<AgentControl> = createKey("AgentControl");

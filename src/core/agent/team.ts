import { createKey, type AgentInfo, type Key, type Progress } from "../context.ts";

/** The state of an agent. */
export type AgentState =
  | "idle"
  | "waiting_for_model"
  | "executing_tools"
  | "waiting_for_approval"
  | "waiting_for_message"
  | "done"
  | "failed";

/** One agent of a team, as the others see it. */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | undefined;
  /** What its parent told it to do. */
  readonly task: string;
  readonly state: AgentState;
  /** Its result, once it has finished. */
  readonly result: string | undefined;
}

export const MESSAGE_TYPES = ["query", "instruction", "information"] as const;
export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;

/** A message between agents. The team itself sends `result` and `crash`. */
export interface TeamMessage {
  readonly id: string;
  readonly from: AgentInfo;
  /** The id of the agent that receives it. */
  readonly to: string;
  /** `result` and `crash` say how a child ended; agents send the others. */
  readonly type: (typeof MESSAGE_TYPES)[number] | "result" | "crash";
  /** Which of several waiting messages is read first. */
  readonly priority: (typeof PRIORITIES)[number];
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface NewMember {
  readonly by: AgentInfo;
  readonly name: string;
  readonly task: string;
  /** The child gets a shortened copy of its parent's conversation. */
  readonly inheritsContext: boolean;
  readonly skills: readonly string[];
}

/** A task that an agent has a child do while it waits. */
export interface DelegatedTask {
  readonly by: AgentInfo;
  readonly task: string;
  /** The only tools it may use; default: all of its parent's. */
  readonly tools?: readonly string[];
  readonly maxTurns?: number;
  readonly signal: AbortSignal;
  readonly emit: (progress: Progress) => void;
}

/** The result of a delegated task. */
export interface Report {
  readonly agentId: string;
  readonly text: string;
  readonly turns: number;
  readonly calls: number;
}

export interface Waiting {
  readonly by: AgentInfo;
  readonly timeoutMs: number;
  /** Only from these agents. */
  readonly from?: readonly string[];
  readonly signal: AbortSignal;
}

/** Agents that work together. Failures are thrown as a `ToolError`. */
export interface Team {
  /** Starts a child that works in parallel; its result arrives as a message. */
  create(member: NewMember): Promise<TeamMember>;
  /** Runs a child to its end and returns its report. */
  delegate(task: DelegatedTask): Promise<Report>;
  send(message: Omit<TeamMessage, "id" | "at">): Promise<TeamMessage>;
  /** Returns the waiting messages, most urgent first, or the next that arrives; none after the timeout. */
  wait(waiting: Waiting): Promise<readonly TeamMessage[]>;
  /** Every agent, parents before their children. */
  members(): readonly TeamMember[];
  /** Ends the caller's own work and reports it to its parent. */
  finish(done: {
    readonly by: AgentInfo;
    readonly summary: string;
    readonly findings: readonly string[];
    readonly success: boolean;
  }): Promise<void>;
}

/** Present only if an agent of a team runs the call. */
export const TeamKey: Key<Team> = createKey("Team");

/** Lets a running call control its agent. Supplied by the loop. */
export interface AgentControl {
  /** The agent waits for a message until the returned function is called. */
  waitsForMessage(): () => void;
  /** Ends the task with this turn: no further request is made to the model. */
  finish(): void;
}

/** Present only if an agent runs the call. */
export const AgentControlKey: Key<AgentControl> = createKey("AgentControl");

import type { Collections } from "../../core/store/collection.ts";
import type { AgentInfo, Provided } from "../../core/context.ts";
import type { Model } from "../../core/agent/model.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Skills } from "../../core/skills.ts";
import type { TeamMember, TeamMessage } from "../../core/agent/team.ts";
import type { Budget, SharedSpent } from "../budget/budget.ts";
import type { AgentOptions, AgentTeam, RunningAgent } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";

/** The options of an agent that the host opens; named as in `AgentOptions`, so that they can be spread there. */
export interface MemberOptions {
  readonly identity: AgentInfo;
  readonly session: string;
  /** Not set for the root. */
  readonly parentSession?: string;
  /** Added after the host's own instructions: name, parent and skills of the agent. Empty for the root. */
  readonly instructions: string;
  /** Outermost first: those of its parent, then its own. */
  readonly ceilings: readonly Ceiling[];
  /** The limits of each of its tasks. */
  readonly budget: Budget;
  /** Returns what the agents below it have spent. */
  readonly spentByOthers: () => SharedSpent;
  /** For the option `team` of the agent. */
  readonly team: AgentTeam;
  /** Has the team itself; added to the host's own. */
  readonly context: readonly Provided[];
  /** For the option `incoming` of the agent: the messages of the team. */
  readonly incoming: NonNullable<AgentOptions["incoming"]>;
}

/** How large a team may become. */
export interface TeamLimits {
  /** Levels below the root; default: 3. */
  readonly depth?: number;
  /** Living agents including the root; default: 100. */
  readonly members?: number;
  /** Concurrent requests to models; default: 8. */
  readonly running?: number;
}

/** How the agents of a team are opened, and their limits. */
export interface TeamOptions {
  /** Opens an agent. It must get all of these options, and a model returned by `share`. */
  readonly open: (member: MemberOptions) => Promise<RunningAgent>;
  /** Default: those of `TeamLimits`. */
  readonly limits?: TeamLimits;
  /** The budget of each agent below the root, at most what its parent has left; default: 50 turns. */
  readonly budget?: Budget;
  /** The skills for `create_agent`; default: none. */
  readonly skills?: Skills;
  /** False: a root that has answered is not woken by later results; default: true. */
  readonly wakesRoot?: boolean;
  /** Stores unread messages; default: in memory. */
  readonly collections?: Collections;
}

/** The agent that the person talks to. */
export interface RootOptions {
  readonly identity: AgentInfo;
  readonly session: string;
  /** Limits of the whole team. Default: none. */
  readonly ceilings?: readonly Ceiling[];
  /** The limits of each task of the root, with what the agents below it spend. Default: none. */
  readonly budget?: Budget;
}

/** What happens in a team, except the events of its agents and of the engine. */
export type TeamEvent =
  | { readonly type: "member.added"; readonly member: TeamMember }
  | { readonly type: "member.changed"; readonly member: TeamMember }
  | { readonly type: "member.finished"; readonly member: TeamMember }
  /** The member failed, ran out of budget or was cancelled. */
  | { readonly type: "member.crashed"; readonly member: TeamMember; readonly reason: string }
  | { readonly type: "message.sent"; readonly message: TeamMessage };

/** Receives every event, in order. Its errors are ignored. */
export type TeamListener = (event: TeamEvent) => void;

/** The host's handle of a team. */
export interface TeamHandle extends AsyncDisposable {
  /**
   * Opens the agent that the person talks to; can be called once. Cancelling it cancels all agents below it, and its outcome settles
   * when they have ended; closing it closes the team.
   */
  root(options: RootOptions): Promise<RunningAgent>;
  /** Wraps a model so that the limit of concurrent requests applies to it. */
  share(model: Model): Model;
  /** Returns all remembered agents, parents before their children. */
  members(): readonly TeamMember[];
  /** Returns undefined for an agent that has ended or is not known. */
  agent(id: string): RunningAgent | undefined;
  /** Calls the listener on every event; returns a function that removes it. */
  on(listener: TeamListener): () => void;
  /** Cancels an agent, default: the root, and all agents below it; settles when they have ended. False if nothing was running. */
  cancel(id?: string, reason?: string): Promise<boolean>;
  /** Settles with the root's last outcome when no agent works and none would be woken by a message; undefined if it had no task. */
  settled(): Promise<Outcome | undefined>;
  /** Cancels and closes all agents and removes the listeners. */
  close(): Promise<void>;
}

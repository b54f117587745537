import type { Collections } from "../../../core/store/collection.ts";
import type { Agent, Provided } from "../../../core/context.ts";
import type { Model } from "../../../core/agent/model.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { Skills } from "../../../core/skills.ts";
import type { TeamMember, TeamMessage } from "../../../core/agent/team.ts";
import type { Budget, SharedSpent } from "../../budget/budget.ts";
import type { AgentOptions, Outcome, RunningAgent } from "../../runtime/running-agent.ts";

/** What the host is told of an agent that it shall open; named as `AgentOptions` names it, so that it can be spread there. */
export interface MemberOptions {
  readonly identity: Agent;
  readonly session: string;
  /** Left out for the root. */
  readonly parentSession?: string;
  /** To be put after the host's own instructions: who it is, whom it works for, its skills. Empty for the root. */
  readonly instructions: string;
  /** Outermost first: those of its parent, then its own. */
  readonly ceilings: readonly Ceiling[];
  readonly budget: Budget;
  /** What everybody below it has spent. */
  readonly spentByOthers: () => SharedSpent;
  /** Has the team itself; to be put beside the host's own. */
  readonly context: readonly Provided[];
  readonly incoming: NonNullable<AgentOptions["incoming"]>;
}

export interface TeamLimits {
  /** How many generations below the root; 3. */
  readonly depth?: number;
  /** How many agents live at a time, the root among them; 100. */
  readonly members?: number;
  /** How many talk to a model at a time; 8. The others wait their turn. */
  readonly running?: number;
}

export interface TeamOptions {
  /** Opens an agent. It must be given all that is in the options, and a model that went through `share`. */
  readonly open: (member: MemberOptions) => Promise<RunningAgent>;
  readonly limits?: TeamLimits;
  /** The most that one agent below the root may spend; 50 turns. It never gets more than its parent has left. */
  readonly budget?: Budget;
  /** Where `create_agent` finds skills; none if left out. */
  readonly skills?: Skills;
  /** False: a root that has answered is not sent the results that come later, as where nobody is there to read them. */
  readonly wakesRoot?: boolean;
  /** Keeps messages that nobody has read yet; left out: in memory. */
  readonly collections?: Collections;
}

export interface RootOptions {
  readonly identity: Agent;
  readonly session: string;
  readonly ceilings?: readonly Ceiling[];
  readonly budget?: Budget;
}

/** What happens in a team beside what its agents and the engine tell. */
export type TeamEvent =
  | { readonly type: "member.added"; readonly member: TeamMember }
  | { readonly type: "member.changed"; readonly member: TeamMember }
  | { readonly type: "member.finished"; readonly member: TeamMember }
  /** It failed, ran out of its budget or was cancelled. */
  | { readonly type: "member.crashed"; readonly member: TeamMember; readonly reason: string }
  | { readonly type: "message.sent"; readonly message: TeamMessage };

/** Hears every event, in order. What it throws is dropped. */
export type TeamListener = (event: TeamEvent) => void;

/** A team as its host holds it. */
export interface TeamHandle {
  /**
   * Opens the agent that the person talks to, once. To cancel it cancels everybody below it, and its outcome is there when
   * they have ended; to close it closes the team.
   */
  root(options: RootOptions): Promise<RunningAgent>;
  /** The same model, bound to the number of agents that may talk to one at a time. */
  share(model: Model): Model;
  /** Every agent that is remembered, parents before their children. */
  members(): readonly TeamMember[];
  /** Undefined for one that has ended, or is not known. */
  agent(id: string): RunningAgent | undefined;
  on(listener: TeamListener): () => void;
  /** Cancels an agent and everybody below it, the root by default; settles when they have ended. False where nothing ran. */
  cancel(id?: string, reason?: string): Promise<boolean>;
  /**
   * Settles when nobody works any more and no message waits for somebody who would be woken by it, with what the root came to
   * last; undefined where it was never asked.
   */
  settled(): Promise<Outcome | undefined>;
  /** Cancels everybody, closes their agents and forgets the listeners. */
  close(): Promise<void>;
}

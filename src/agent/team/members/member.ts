import type { Agent } from "../../../core/context.ts";
import type { Ceiling } from "../../../core/policy.ts";
import type { AgentState, TeamMember } from "../../../core/agent/team.ts";
import type { Budget, SharedSpent, Spent } from "../../budget/budget.ts";
import type { Outcome, RunningAgent } from "../../runtime/running-agent.ts";
import type { Mailbox } from "./mailbox.ts";

/** What somebody has spent who never worked. */
export const NOTHING_SPENT: Spent = { turns: 0, tokens: 0, money: undefined, timeMs: 0, calls: 0 };

/** How an agent's work ended. */
export interface End {
  readonly state: "done" | "failed";
  /** What it found, or why it did not. */
  readonly text: string;
  readonly outcome: Outcome | undefined;
  readonly spent: Spent;
}

/** What an agent said of its own work when it ended it. */
export interface Finish {
  readonly summary: string;
  readonly findings: readonly string[];
  readonly success: boolean;
}

/** An agent as its team keeps it. What changes is changed by the files of this folder only. */
export interface Member {
  readonly identity: Agent;
  readonly session: string;
  readonly task: string;
  readonly parent: Member | undefined;
  readonly depth: number;
  /** Its report is the answer of a call, so it is not sent as a message. */
  readonly isErrand: boolean;
  readonly ceilings: readonly Ceiling[];
  readonly budget: Budget;
  readonly mailbox: Mailbox;
  readonly children: Set<Member>;
  /** Aborted once, by whoever cancels it for good. */
  readonly cancelling: AbortController;
  /** Settles when it has ended and everybody below it has. */
  readonly ended: PromiseWithResolvers<End>;
  /** Undefined while it is being opened, and when it has ended. */
  agent: RunningAgent | undefined;
  stopListening: () => void;
  /** Messages sent to it whose outcome is not there yet. */
  runs: number;
  last: Outcome | undefined;
  finish: Finish | undefined;
  /** Set as soon as nothing is accepted for it any more. */
  ending: Promise<void> | undefined;
  end: End | undefined;
  /** When it began on what it works on now: a budget is for one task. */
  spentBefore: Spent;
  /** Of those below it who have ended. */
  spentBelow: SharedSpent;
}

export type NewMember = Pick<
  Member,
  "identity" | "session" | "task" | "parent" | "isErrand" | "ceilings" | "budget" | "mailbox"
>;

export function createMember(given: NewMember): Member {
  return {
    ...given,
    depth: given.parent === undefined ? 0 : given.parent.depth + 1,
    children: new Set(),
    cancelling: new AbortController(),
    ended: Promise.withResolvers(),
    agent: undefined,
    stopListening: () => undefined,
    runs: 0,
    last: undefined,
    finish: undefined,
    ending: undefined,
    end: undefined,
    spentBefore: NOTHING_SPENT,
    spentBelow: NOTHING_SPENT,
  };
}

/** It does something now, so that a message may come from it. */
export function isBusy({ agent, runs, ending, end }: Member): boolean {
  if (end !== undefined) return false;
  return runs > 0 || agent === undefined || ending !== undefined;
}

/** No message reaches it any more. */
export function isOver({ ending, finish, end }: Member): boolean {
  return end !== undefined || ending !== undefined || finish !== undefined;
}

/** As the others may see it. */
export function view({ identity, task, agent, end }: Member): TeamMember {
  return {
    id: identity.id,
    name: identity.name,
    parentId: identity.parentId,
    task,
    state: end?.state ?? stateOf(agent),
    result: end?.text,
  };
}

/** An agent that has answered is done with a task; its work is not over. */
function stateOf(agent: RunningAgent | undefined): AgentState {
  return agent === undefined || agent.state === "done" ? "idle" : agent.state;
}

import type { AgentInfo } from "../../core/context.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Team, TeamMember } from "../../core/agent/team.ts";
import { NOTHING_SPENT, type Budget, type SharedSpent, type Spent } from "../budget/budget.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";
import type { Inbox } from "./inbox.ts";

/** How an agent's work ended. */
export interface End {
  readonly state: "done" | "failed";
  /** Its result, or why there is none. */
  readonly text: string;
  readonly outcome: Outcome | undefined;
  readonly spent: Spent;
}

/** What an agent reported when it ended its own work. */
export type Finish = Omit<Parameters<Team["finish"]>[0], "by">;

interface Opened {
  readonly agent: RunningAgent;
  /** The outcome of its last task. */
  readonly last: Outcome | undefined;
}

/** The phases of a member: opening → idle ⇄ working → finishing → ending → ended. A root skips `finishing` and `ending`. */
export type MemberState =
  | { readonly phase: "opening" }
  | (Opened & { readonly phase: "idle" })
  /** A task can start while the one before it is being completed, so tasks are counted. */
  | (Opened & { readonly phase: "working"; readonly tasks: number })
  /** It has called `agent_finish`; the turn of that call is still running. */
  | (Opened & { readonly phase: "finishing"; readonly tasks: number; readonly finish: Finish })
  /** Its children are being ended and its agent closed. */
  | (Opened & { readonly phase: "ending"; readonly finish: Finish | undefined })
  | { readonly phase: "ended"; readonly end: End };

export type MemberEvent =
  | { readonly type: "opened"; readonly agent: RunningAgent }
  | { readonly type: "taskStarted" }
  | { readonly type: "taskEnded"; readonly outcome: Outcome }
  | { readonly type: "cancelled"; readonly outcome: Outcome }
  | { readonly type: "finished"; readonly finish: Finish }
  | { readonly type: "ending" }
  | { readonly type: "ended"; readonly end: End };

/** Returns the state after an event. An event that does not apply to a state leaves it unchanged. */
export function transition(state: MemberState, event: MemberEvent): MemberState {
  if (event.type === "ended") return state.phase === "ended" ? state : { phase: "ended", end: event.end };
  if (state.phase === "ended" || state.phase === "ending") return state;
  if (state.phase === "opening")
    return event.type === "opened" ? { phase: "idle", agent: event.agent, last: undefined } : state;
  switch (event.type) {
    case "taskStarted":
      return state.phase === "idle"
        ? { ...state, phase: "working", tasks: 1 }
        : { ...state, tasks: state.tasks + 1 };
    case "taskEnded":
      return endTask(state, event.outcome);
    case "cancelled":
      return { ...state, last: event.outcome };
    case "finished":
      return state.phase === "working" ? { ...state, phase: "finishing", finish: event.finish } : state;
    case "ending":
      return {
        phase: "ending",
        agent: state.agent,
        last: state.last,
        finish: state.phase === "finishing" ? state.finish : undefined,
      };
    default:
      return state;
  }
}

function endTask(state: Extract<MemberState, Opened>, outcome: Outcome): MemberState {
  if ((state.phase !== "working" && state.phase !== "finishing") || state.tasks === 0) return state;
  const tasks = state.tasks - 1;
  if (state.phase === "working" && tasks === 0) return { phase: "idle", agent: state.agent, last: outcome };
  return { ...state, tasks, last: outcome };
}

/** An agent of a team. */
export interface Member {
  readonly identity: AgentInfo;
  readonly session: string;
  readonly task: string;
  readonly parent: Member | undefined;
  readonly depth: number;
  /** Its report is the answer of a call, so it is not sent as a message. */
  readonly isDelegated: boolean;
  readonly ceilings: readonly Ceiling[];
  readonly budget: Budget;
  readonly inbox: Inbox;
  readonly children: Set<Member>;
  /** Aborted when the member is cancelled for good. */
  readonly cancelling: AbortController;
  /** Settles when the member and all members below it have ended. */
  readonly ended: PromiseWithResolvers<End>;
  /** Changed only by `advance`. */
  state: MemberState;
  stopListening: () => void;
  /** What it had spent when its task started: a budget is for one task. */
  spentBefore: Spent;
  /** What ended members below it have spent. */
  spentBelow: SharedSpent;
}

export type NewMember = Pick<
  Member,
  "identity" | "session" | "task" | "parent" | "isDelegated" | "ceilings" | "budget" | "inbox"
>;

export function createMember(member: NewMember): Member {
  return {
    ...member,
    depth: member.parent === undefined ? 0 : member.parent.depth + 1,
    children: new Set(),
    cancelling: new AbortController(),
    ended: Promise.withResolvers(),
    state: { phase: "opening" },
    stopListening: () => undefined,
    spentBefore: NOTHING_SPENT,
    spentBelow: NOTHING_SPENT,
  };
}

export function advance(member: Member, event: MemberEvent): void {
  member.state = transition(member.state, event);
}

/** Returns the agent, undefined before it is open and after its end. */
export function agentOf({ state }: Member): RunningAgent | undefined {
  return "agent" in state ? state.agent : undefined;
}

/** Returns the outcome of the last task. */
export function lastOutcome({ state }: Member): Outcome | undefined {
  if (state.phase === "ended") return state.end.outcome;
  return "last" in state ? state.last : undefined;
}

/** True if the member may still send a message without being woken. */
export function isBusy({ state: { phase } }: Member): boolean {
  return phase !== "idle" && phase !== "ended";
}

/** True if the member accepts no more messages. */
export function isOver({ state: { phase } }: Member): boolean {
  return phase === "finishing" || phase === "ending" || phase === "ended";
}

/** True from the moment the member is being ended. */
export function isEnding({ state: { phase } }: Member): boolean {
  return phase === "ending" || phase === "ended";
}

/** Returns what other agents see of a member. An agent that has answered is idle, not done: it can still be asked. */
export function view({ identity, task, state }: Member): TeamMember {
  const end = state.phase === "ended" ? state.end : undefined;
  const current = "agent" in state ? state.agent.state : "idle";
  return {
    id: identity.id,
    name: identity.name,
    parentId: identity.parentId,
    task,
    state: end?.state ?? (current === "done" ? "idle" : current),
    result: end?.text,
  };
}

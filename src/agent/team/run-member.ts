import type { Sender } from "../../core/agent/message.ts";
import { cancelled } from "../runtime/agent-runtime.ts";
import type { AgentTeam } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";
import { cancelBelow, endMember } from "./end-member.ts";
import { advance, agentOf, isBusy, isOver, lastOutcome, type Member } from "./member.ts";
import { isSpent, spentWithin } from "./member-budget.ts";
import { reportToParent } from "./messages.ts";
import type { TeamState } from "./team-state.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** Connects a member's agent to its team: the agent reports its tasks, and a root passes on its cancellation and its end. */
export function agentTeam(team: TeamState, member: Member): AgentTeam {
  const isRoot = member.parent === undefined;
  return {
    taskStarted(isContinued) {
      if (member.state.phase === "idle" && !isContinued) member.spentBefore = spentWithin(member);
      advance(member, { type: "taskStarted" });
    },
    async taskEnded(outcome) {
      const wasRunning = isRunning(member);
      advance(member, { type: "taskEnded", outcome });
      if (wasRunning && !isRunning(member)) await afterTask(team, member, outcome);
      team.update();
    },
    cancel(reason) {
      if (!isRoot) return false;
      // The failures of those below must not wake it.
      advance(member, { type: "cancelled", outcome: cancelled(reason) });
      const hasChildren = member.children.size > 0;
      void cancelBelow(team, member, reason);
      return hasChildren;
    },
    async close() {
      if (isRoot && member.state.phase !== "ending") await team.closeRoot();
    },
  };
}

function isRunning({ state }: Member): boolean {
  return (state.phase === "working" || state.phase === "finishing") && state.tasks > 0;
}

/** Makes an idle agent read its messages, if it may be woken. */
export function wake(team: TeamState, member: Member): void {
  const { inbox, cancelling } = member;
  if (team.isClosing || isOver(member) || isBusy(member) || !mayWake(team, member)) return;
  inbox.settle();
  // The agent reads its inbox before each request.
  if (inbox.unread > 0) void agentOf(member)?.send([], { signal: cancelling.signal, goesOn: true });
}

export function toSender({ id, name }: { readonly id: string; readonly name: string }): Sender {
  return { kind: "agent", id, name };
}

/** A root whose task was cancelled, failed or ran out of budget waits for its person. */
function mayWake({ options }: TeamState, member: Member): boolean {
  if (member.parent !== undefined) return true;
  return options.wakesRoot !== false && lastOutcome(member)?.kind === "answered" && !isSpent(member);
}

async function afterTask(team: TeamState, member: Member, outcome: Outcome): Promise<void> {
  if (member.parent === undefined) {
    // The root's budget and cancellation apply to the whole team.
    if (outcome.kind === "stopped") await cancelBelow(team, member, `${member.identity.id} was stopped`);
    else wake(team, member);
    return;
  }
  const isFinishing = member.state.phase === "finishing";
  // Reported even if the member is being cancelled.
  if (outcome.kind === "answered" && outcome.text !== "" && !isFinishing) {
    reportToParent(team, member, "result", outcome.text);
  }
  const { aborted: isCancelled, reason } = member.cancelling.signal;
  if (isFinishing || outcome.kind !== "answered" || isCancelled) {
    // A delegated task reports only at its end. Not awaited: the caller that ends it may wait for this outcome.
    const isUnreported = isCancelled && member.isDelegated && !isFinishing;
    void endMember(team, member, isUnreported ? cancelled(errorMessage(reason)) : outcome);
    return;
  }
  wake(team, member);
}

/** Ends a delegated task that has answered, once no agent below it works. */
export function endIfDelegated(team: TeamState, member: Member): void {
  const { isDelegated, children } = member;
  const last = lastOutcome(member);
  if (!isDelegated || last?.kind !== "answered" || isBusy(member) || isOver(member)) return;
  if (![...children].some(isBusy)) void endMember(team, member, last);
}

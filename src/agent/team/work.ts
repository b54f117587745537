import type { Sender } from "../../core/agent/message.ts";
import { ToolError } from "../../core/errors.ts";
import type { Outcome, RunningAgent } from "../runtime/running-agent.ts";
import { isSpent, spentWithin } from "./members/child-budget.ts";
import type { Crew } from "./members/crew.ts";
import { tellParent } from "./members/deliver.ts";
import { cancelBelow, cancelled, endMember } from "./end-member.ts";
import type { Member } from "./members/member.ts";
import { isBusy, isOver } from "./members/member.ts";

type Send = RunningAgent["send"];

/** Has an agent work on a message, and does what follows from the outcome. Never rejects. */
export async function work(
  crew: Crew,
  member: Member,
  ...[message, options]: Parameters<Send>
): Promise<Outcome> {
  const { agent } = member;
  if (agent === undefined) return cancelled(`${member.identity.id} has ended`);
  // A person who speaks to an agent that waits for others is not kept waiting too.
  if (member.runs > 0) member.mailbox.release();
  else if (options?.goesOn !== true) member.spentBefore = spentWithin(member);
  member.runs += 1;
  const outcome = await agent.send(message, options).catch(toFailure);
  member.runs -= 1;
  member.last = outcome;
  if (member.runs === 0) await goOn(crew, member, outcome);
  crew.rest();
  return outcome;
}

/** Has an idle agent read what waits for it, where it may be woken. */
export function wake(crew: Crew, member: Member): void {
  const { mailbox, cancelling } = member;
  if (crew.closing !== undefined || isOver(member) || isBusy(member) || !mayWake(crew, member)) return;
  mailbox.settle();
  // It finds the messages by itself, as it does before each of its requests.
  if (mailbox.unread > 0) void work(crew, member, [], { signal: cancelling.signal, goesOn: true });
}

export function toSender({ id, name }: { readonly id: string; readonly name: string }): Sender {
  return { kind: "agent", id, name };
}

/** A person who has cancelled, or whose agent has failed or spent its budget, is not talked to unasked. */
function mayWake({ options }: Crew, member: Member): boolean {
  if (member.parent !== undefined) return true;
  return options.wakesRoot !== false && member.last?.kind === "answered" && !isSpent(member);
}

async function goOn(crew: Crew, member: Member, outcome: Outcome): Promise<void> {
  if (member.parent === undefined) {
    // Its budget and its person's word hold for everybody.
    if (outcome.kind === "stopped") await cancelBelow(crew, member, `${member.identity.id} was stopped`);
    else wake(crew, member);
    return;
  }
  // Also where it is cancelled in this very moment.
  if (outcome.kind === "answered" && outcome.text !== "" && member.finish === undefined) {
    tellParent(crew, member, "result", outcome.text);
  }
  const { aborted: isCancelled, reason } = member.cancelling.signal;
  if (member.finish !== undefined || outcome.kind !== "answered" || isCancelled) {
    // An errand has told nothing before its end. Not waited for: whoever ends it may be waiting for this very outcome.
    const isUntold = isCancelled && member.isErrand && member.finish === undefined;
    void endMember(crew, member, isUntold ? cancelled(messageOf(reason)) : outcome);
    return;
  }
  wake(crew, member);
}

/** Ends an errand that has answered, once nobody below it works any more: whoever it was, and however that ended. */
export function endErrand(crew: Crew, member: Member): void {
  const { isErrand, last, children } = member;
  if (!isErrand || last?.kind !== "answered" || isBusy(member) || isOver(member)) return;
  if (![...children].some(isBusy)) void endMember(crew, member, last);
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

function toFailure(error: unknown): Outcome {
  const { code, message } =
    error instanceof ToolError ? error : new ToolError("TOOL_CRASHED", String(error), { cause: error });
  return { kind: "failed", fault: { code, message } };
}

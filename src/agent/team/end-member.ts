import { ToolError } from "../../core/errors.ts";
import type { Team } from "../../core/agent/team.ts";
import { textOf } from "../../util/text/text-of.ts";
import { addShared, NOTHING_SPENT } from "../budget/budget.ts";
import { cancelled } from "../runtime/agent-runtime.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";
import {
  advance,
  agentOf,
  isBusy,
  isEnding,
  lastOutcome,
  view,
  type End,
  type Finish,
  type Member,
} from "./member.ts";
import { spentWithin } from "./member-budget.ts";
import { reportToParent } from "./messages.ts";
import type { TeamState } from "./team-state.ts";

/** Ends a member for good with everything below it, and reports to its parent. Never rejects. */
export async function endMember(
  team: TeamState,
  member: Member,
  outcome: Outcome | undefined,
): Promise<void> {
  if (!isEnding(member)) {
    advance(member, { type: "ending" });
    // Later, so that callers see it as ending first.
    void Promise.resolve().then(() => end(team, member, outcome));
  }
  await member.ended.promise;
}

/** Cancels a member for good with everything below it; settles when all have ended. */
export async function cancelMember(team: TeamState, member: Member, reason: string): Promise<void> {
  const { phase } = member.state;
  if (phase === "ended") return;
  member.cancelling.abort(new ToolError("CANCELLED", reason));
  // Children first, so that a failure of one does not wake another.
  const children = cancelBelow(team, member, reason);
  if (phase === "working" || phase === "finishing") agentOf(member)?.cancel(reason);
  if (phase === "idle") void endMember(team, member, reportedOutcome(member) ?? cancelled(reason));
  await Promise.all([children, member.ended.promise]);
}

/** Returns the answer that an idle agent has reported. A delegated task reports only at its end. */
function reportedOutcome(member: Member): Outcome | undefined {
  const last = lastOutcome(member);
  return last?.kind === "answered" && !member.isDelegated ? last : undefined;
}

/** Cancels all members below one; settles when they have ended. */
export async function cancelBelow(team: TeamState, { children }: Member, reason: string): Promise<void> {
  await Promise.all([...children].map((child) => cancelMember(team, child, reason)));
}

/** Records an agent's report of its own work; the member ends with the turn that is running. */
export async function finish(team: TeamState, done: Parameters<Team["finish"]>[0]): Promise<void> {
  const { by, summary, findings, success } = done;
  const member = team.roster.caller(by);
  const { parent, children, inbox, state } = member;
  if (parent === undefined) throw new ToolError("TOOL_FAILED", `${by.id} has no parent to report to`);
  if (state.phase === "finishing") throw new ToolError("TOOL_FAILED", "you have already finished your work");
  const working = [...children].filter(isBusy).map(({ identity: { id, name } }) => `${id} (${name})`);
  if (working.length > 0) {
    throw new ToolError("TOOL_FAILED", `agents that you created still work: ${working.join(", ")}`, {
      hint: "wait_for_message waits for their results",
    });
  }
  inbox.settle();
  if (inbox.unread > 0) {
    throw new ToolError("TOOL_FAILED", `messages that you have not read: ${inbox.unread}`, {
      hint: "they come with your next step; finish then",
    });
  }
  advance(member, { type: "finished", finish: { summary, findings, success } });
}

async function end(team: TeamState, member: Member, outcome: Outcome | undefined): Promise<void> {
  const { parent, state } = member;
  const agent = agentOf(member);
  const report = state.phase === "ending" ? state.finish : undefined;
  await cancelBelow(team, member, `${member.identity.id} has ended`);
  const { isDone, text } = describeEnd(report, agent, outcome);
  member.stopListening();
  await agent?.close().catch(() => undefined);
  const unread = member.inbox.close();
  for (const message of unread) team.unread.remove(member.session, message).catch(() => undefined);
  if (parent !== undefined) parent.spentBelow = addShared(parent.spentBelow, spentWithin(member));
  const spent = agent?.spent() ?? NOTHING_SPENT;
  markEnded(team, member, { state: isDone ? "done" : "failed", text, outcome, spent });
  if (isDone) team.emit({ type: "member.finished", member: view(member) });
  else team.emit({ type: "member.crashed", member: view(member), reason: text });
  const lost = unread.length === 0 ? "" : `\n[messages that it did not read: ${unread.length}]`;
  // An answer without `agent_finish` was reported when it was given.
  if (report !== undefined) reportToParent(team, member, "result", text);
  else if (!isDone) reportToParent(team, member, "crash", `${text}${lost}`);
  member.ended.resolve({ state: isDone ? "done" : "failed", text, outcome, spent });
  team.update();
}

/** Marks a member as ended and removes it from the living. */
export function markEnded(team: TeamState, member: Member, ended: End): void {
  advance(member, { type: "ended", end: ended });
  team.roster.retire(member);
}

function describeEnd(
  report: Finish | undefined,
  agent: RunningAgent | undefined,
  outcome: Outcome | undefined,
): { readonly isDone: boolean; readonly text: string } {
  if (report !== undefined) return { isDone: true, text: describeFinish(report) };
  if (outcome === undefined) return { isDone: true, text: "" };
  if (outcome.kind === "answered") return { isDone: true, text: outcome.text };
  if (outcome.kind === "failed") {
    return { isDone: false, text: `It failed: ${outcome.fault.code}: ${outcome.fault.message}` };
  }
  const lastAnswer = lastText(agent);
  const last = lastAnswer === "" ? "" : `\nIts last answer: ${lastAnswer}`;
  return { isDone: false, text: `It was stopped (${outcome.why}): ${outcome.detail}${last}` };
}

function describeFinish({ summary, findings, success }: Finish): string {
  const list = findings.length === 0 ? [] : ["", "Findings:", ...findings.map((finding) => `- ${finding}`)];
  return [...(success ? [] : ["It could not complete its task."]), summary, ...list].join("\n");
}

const MAX_TEXT_CHARACTERS = 2000;

function lastText(agent: RunningAgent | undefined): string {
  const message = agent?.messages().findLast(({ role }) => role === "assistant");
  if (message?.role !== "assistant") return "";
  return textOf(message.parts).slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}

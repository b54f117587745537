import { ToolError } from "../../core/errors.ts";
import type { Outcome } from "../runtime/running-agent.ts";
import { shared, spentWithin } from "./members/child-budget.ts";
import type { Crew } from "./members/crew.ts";
import { tellParent } from "./members/deliver.ts";
import type { End, Finish, Member } from "./members/member.ts";
import { NOTHING_SPENT, view } from "./members/member.ts";
import { textOf } from "../../util/text/text-of.ts";

/** Ends an agent for good: everybody below it, its agent, its messages; then its parent is told. Never rejects. */
export function endMember(crew: Crew, member: Member, outcome: Outcome | undefined): Promise<void> {
  // Not at once: whoever looks meanwhile must find it ending.
  member.ending ??= Promise.resolve().then(() => end(crew, member, outcome));
  return member.ending;
}

/** Cancels an agent for good, and everybody below it; settles when they have ended. */
export async function cancelMember(crew: Crew, member: Member, reason: string): Promise<void> {
  if (member.end !== undefined) return;
  member.cancelling.abort(new ToolError("CANCELLED", reason));
  // Down first: nobody below it shall be woken by what the others lose.
  const children = cancelBelow(crew, member, reason);
  if (member.runs > 0) member.agent?.cancel(reason);
  else if (member.agent !== undefined) void endMember(crew, member, atRest(member) ?? cancelled(reason));
  await Promise.all([children, member.ended.promise]);
}

/** What an agent has told that has nothing to do now: nothing is lost with it. An errand has told nothing before its end. */
function atRest({ last, isErrand }: Member): Outcome | undefined {
  return last?.kind === "answered" && !isErrand ? last : undefined;
}

/** False where there was nobody. */
export async function cancelBelow(crew: Crew, { children }: Member, reason: string): Promise<boolean> {
  const all = [...children];
  await Promise.all(all.map((child) => cancelMember(crew, child, reason)));
  return all.length > 0;
}

export function cancelled(reason: string): Outcome {
  return { kind: "stopped", why: "cancelled", detail: reason };
}

async function end(crew: Crew, member: Member, outcome: Outcome | undefined): Promise<void> {
  const { agent, parent, finish } = member;
  await cancelBelow(crew, member, `${member.identity.id} has ended`);
  const { isDone, text } = describeEnd(member, outcome);
  member.stopListening();
  await agent?.close().catch(() => undefined);
  const unread = member.mailbox.close();
  for (const message of unread) crew.kept.remove(member.session, message).catch(() => undefined);
  const spent = agent?.spent() ?? NOTHING_SPENT;
  if (parent !== undefined) parent.spentBelow = shared(parent.spentBelow, spentWithin(member));
  member.agent = undefined;
  member.end = { state: isDone ? "done" : "failed", text, outcome, spent } satisfies End;
  crew.roster.retire(member);
  if (isDone) crew.tell({ type: "member.finished", member: view(member) });
  else crew.tell({ type: "member.crashed", member: view(member), reason: text });
  const lost = unread.length === 0 ? "" : `\n[messages that it did not read: ${unread.length}]`;
  // An answer without `agent_finish` was told when it was given.
  if (finish !== undefined) tellParent(crew, member, "result", text);
  else if (!isDone) tellParent(crew, member, "crash", `${text}${lost}`);
  member.ended.resolve(member.end);
  crew.rest();
}

function describeEnd(
  { finish, agent }: Member,
  outcome: Outcome | undefined,
): { readonly isDone: boolean; readonly text: string } {
  if (finish !== undefined) return { isDone: true, text: describeFinish(finish) };
  if (outcome === undefined) return { isDone: true, text: "" };
  if (outcome.kind === "answered") return { isDone: true, text: outcome.text };
  if (outcome.kind === "failed") {
    return { isDone: false, text: `It failed: ${outcome.fault.code}: ${outcome.fault.message}` };
  }
  const said = lastSaid(agent);
  const last = said === "" ? "" : `\nThe last it said: ${said}`;
  return { isDone: false, text: `It was stopped (${outcome.why}): ${outcome.detail}${last}` };
}

function describeFinish({ summary, findings, success }: Finish): string {
  const list = findings.length === 0 ? [] : ["", "Findings:", ...findings.map((finding) => `- ${finding}`)];
  return [...(success ? [] : ["It could not do its task."]), summary, ...list].join("\n");
}

const MAX_SAID_CHARACTERS = 2000;

function lastSaid(agent: Member["agent"]): string {
  const message = agent?.messages().findLast(({ role }) => role === "assistant");
  if (message?.role !== "assistant") return "";
  const text = textOf(message.parts);
  return text.slice(0, MAX_SAID_CHARACTERS).toWellFormed();
}

import { randomUUID } from "node:crypto";
import { ToolError } from "../../core/errors.ts";
import type { Team, TeamMessage } from "../../core/agent/team.ts";
import { isBusy, isEnding, isOver, type Member } from "./member.ts";
import type { TeamState } from "./team-state.ts";

/** How many unread messages one agent may have. */
const MAX_UNREAD = 1000;

/** Sends a message to another agent; throws if it cannot be delivered. */
export async function send(team: TeamState, draft: Parameters<Team["send"]>[0]): Promise<TeamMessage> {
  const { identity } = team.roster.caller(draft.from);
  const to = team.roster.find(draft.to);
  checkReceiver(identity.id, to);
  const message = stamp({ ...draft, from: identity });
  await team.unread.add(to.session, message);
  if (isOver(to)) {
    await team.unread.remove(to.session, message);
    throw hasEnded(to);
  }
  deliver(team, to, message);
  return message;
}

/** Waits for messages as long as another agent could send one. */
export async function wait(
  team: TeamState,
  waiting: Parameters<Team["wait"]>[0],
): Promise<readonly TeamMessage[]> {
  const member = team.roster.caller(waiting.by);
  for (const id of waiting.from ?? []) team.roster.find(id);
  const messages = member.inbox.wait(waiting);
  giveUpWaits(team, member);
  return messages;
}

/** Ends the waits of an agent that no other agent can answer. */
export function giveUpWaits(team: TeamState, member: Member): void {
  member.inbox.giveUp((from) => (mayArrive(team, member, from) ? undefined : noSender(from)));
}

/** Sends a child's result or failure to its parent. It is delivered even if it cannot be stored. */
export function reportToParent(
  team: TeamState,
  member: Member,
  type: "result" | "crash",
  text: string,
): void {
  const { parent, identity, isDelegated } = member;
  if (parent === undefined || isDelegated || isEnding(parent)) return;
  const priority = type === "crash" ? "high" : "normal";
  const message = stamp({ from: identity, to: parent.identity.id, type, priority, text });
  team.unread.add(parent.session, message).catch(() => undefined);
  deliver(team, parent, message);
}

function stamp(message: Omit<TeamMessage, "id" | "at">): TeamMessage {
  return { ...message, id: `message-${randomUUID()}`, at: Date.now() };
}

function deliver(team: TeamState, to: Member, message: TeamMessage): void {
  to.inbox.put(message);
  team.emit({ type: "message.sent", message });
  team.wake(to);
}

function checkReceiver(from: string, to: Member): void {
  if (to.identity.id === from) {
    throw new ToolError("TOOL_FAILED", "that is your own id: an agent cannot send a message to itself", {
      hint: "view_agent_graph lists the others",
    });
  }
  if (isOver(to)) throw hasEnded(to);
  if (to.inbox.unread < MAX_UNREAD) return;
  throw new ToolError("TOOL_FAILED", `${to.identity.id} already has ${MAX_UNREAD} unread messages`);
}

function hasEnded({ identity: { id, name } }: Member): ToolError {
  return new ToolError("TOOL_FAILED", `${id} (${name}) has ended its work and reads no more messages`, {
    hint: "view_agent_graph shows which agents are still there",
  });
}

/** A busy agent may send a message; an idle root may do so when its person asks it to. */
function mayArrive({ roster }: TeamState, member: Member, from: readonly string[] | undefined): boolean {
  return roster.living().some((other) => {
    if (other === member || from?.includes(other.identity.id) === false) return false;
    return isBusy(other) || other.parent === undefined;
  });
}

function noSender(from: readonly string[] | undefined): ToolError {
  const who = from === undefined ? "no other agent" : `none of ${from.join(", ")}`;
  return new ToolError("TOOL_FAILED", `no message will come: ${who} is at work`, {
    hint: "view_agent_graph shows their states; a message to an idle agent makes it work again",
  });
}

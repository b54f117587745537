import { ToolError } from "../../core/errors.ts";
import type { Team, TeamMessage } from "../../core/agent/team.ts";
import type { Crew } from "./members/crew.ts";
import { deliver, stamp } from "./members/deliver.ts";
import type { Member } from "./members/member.ts";
import { isBusy, isOver } from "./members/member.ts";

/** So many messages wait for one agent. */
const MAX_UNREAD = 1000;

/** Hands a message to another agent, or says why it cannot be had. */
export async function send(crew: Crew, draft: Parameters<Team["send"]>[0]): Promise<TeamMessage> {
  const { identity } = crew.roster.caller(draft.from);
  const to = crew.roster.find(draft.to);
  refuse(identity.id, to);
  const message = stamp({ ...draft, from: identity });
  await crew.kept.add(to.session, message);
  if (isOver(to)) {
    await crew.kept.remove(to.session, message);
    throw finished(to);
  }
  deliver(crew, to, message);
  return message;
}

/** Waits for messages, as long as somebody is there who could send one. */
export async function wait(
  crew: Crew,
  waiting: Parameters<Team["wait"]>[0],
): Promise<readonly TeamMessage[]> {
  const member = crew.roster.caller(waiting.by);
  for (const id of waiting.from ?? []) crew.roster.find(id);
  const messages = member.mailbox.wait(waiting);
  giveUp(crew, member);
  return messages;
}

/** Ends the waits of an agent that can only last. */
export function giveUp(crew: Crew, member: Member): void {
  member.mailbox.giveUp((from) => (mayCome(crew, member, from) ? undefined : silence(from)));
}

/** Takes down what an agent says of its own work; with the turn that is running it has ended. */
export async function finish(crew: Crew, done: Parameters<Team["finish"]>[0]): Promise<void> {
  const { by, summary, findings, success } = done;
  const member = crew.roster.caller(by);
  const { parent, children, mailbox } = member;
  if (parent === undefined) throw new ToolError("TOOL_FAILED", `${by.id} has no parent to tell`);
  if (member.finish !== undefined) throw new ToolError("TOOL_FAILED", "you have finished your work already");
  const working = [...children].filter(isBusy).map(({ identity: { id, name } }) => `${id} (${name})`);
  if (working.length > 0) {
    throw new ToolError("TOOL_FAILED", `agents that you created still work: ${working.join(", ")}`, {
      hint: "wait_for_message waits for their results",
    });
  }
  mailbox.settle();
  if (mailbox.unread > 0) {
    throw new ToolError("TOOL_FAILED", `messages that you have not read: ${mailbox.unread}`, {
      hint: "they come with your next step; finish then",
    });
  }
  member.finish = { summary, findings, success };
}

function refuse(from: string, to: Member): void {
  if (to.identity.id === from) {
    throw new ToolError("TOOL_FAILED", "that is your own id: an agent does not write to itself", {
      hint: "view_agent_graph shows the others",
    });
  }
  if (isOver(to)) throw finished(to);
  if (to.mailbox.unread < MAX_UNREAD) return;
  throw new ToolError("TOOL_FAILED", `${MAX_UNREAD} messages wait for ${to.identity.id} already`);
}

function finished({ identity: { id, name } }: Member): ToolError {
  return new ToolError("TOOL_FAILED", `${id} (${name}) has ended its work and reads nothing any more`, {
    hint: "view_agent_graph shows who is still there",
  });
}

/** Whoever works may write; a root that rests may be told to by its person. */
function mayCome({ roster }: Crew, member: Member, from: readonly string[] | undefined): boolean {
  return roster.living().some((other) => {
    if (other === member || from?.includes(other.identity.id) === false) return false;
    return isBusy(other) || other.parent === undefined;
  });
}

function silence(from: readonly string[] | undefined): ToolError {
  const who = from === undefined ? "no other agent" : `none of ${from.join(", ")}`;
  return new ToolError("TOOL_FAILED", `no message will come: ${who} is at work`, {
    hint: "view_agent_graph shows what became of them; a message to one that is idle has it work again",
  });
}

import { randomUUID } from "node:crypto";
import type { Agent } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { UserMessage } from "../../core/agent/message.ts";
import type { LoadedSkill } from "../../core/skills.ts";
import type { AgentState, TeamMessage } from "../../core/agent/team.ts";
import { renderMessage } from "../../tools/agents/render-message.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import { childBudget, emptyPurse, spentBelow } from "./members/child-budget.ts";
import type { Crew } from "./members/crew.ts";
import { cancelBelow, cancelled, endMember } from "./end-member.ts";
import { createMailbox } from "./members/mailbox.ts";
import { memberInstructions } from "./member-instructions.ts";
import type { Member } from "./members/member.ts";
import { createMember, isBusy, isOver, NOTHING_SPENT, view } from "./members/member.ts";
import { readIn } from "./read-in.ts";
import type { MemberOptions, RootOptions } from "./members/team-handle.ts";
import { toSender } from "./work.ts";

export interface Job {
  readonly by: Agent;
  readonly name: string;
  readonly task: string;
  readonly isErrand: boolean;
  readonly tools?: readonly string[];
  readonly maxTurns?: number;
  readonly skills?: readonly LoadedSkill[];
}

/** Opens an agent below another, within the limits of the team and of its parent. Where that fails nothing is left of it. */
export async function hire(crew: Crew, job: Job): Promise<Member> {
  const parent = crew.roster.caller(job.by);
  const budget = childBudget(parent, crew.options.budget, job.maxTurns);
  makeRoom(crew, parent);
  // Short, for a model has to repeat it.
  const id = `agent-${randomUUID().slice(0, 8)}`;
  const identity = { id, name: job.name, parentId: parent.identity.id };
  const own: readonly Ceiling[] = job.tools === undefined ? [] : [{ tools: job.tools }];
  const member = newMember(crew, {
    identity,
    session: `${parent.session}.${id}`,
    task: job.task,
    parent,
    isErrand: job.isErrand,
    ceilings: [...parent.ceilings, ...own],
    budget,
  });
  const { isErrand, skills = [] } = job;
  await openMember(crew, member, memberInstructions({ identity, parent: parent.identity, isErrand, skills }));
  return member;
}

export interface Opened {
  readonly member: Member;
  readonly agent: RunningAgent;
}

/** Opens the agent that is above all others; it has not read these messages yet. */
export async function hireRoot(
  crew: Crew,
  { identity, session, ceilings = [], budget = {} }: RootOptions,
  unread: readonly TeamMessage[],
): Promise<Opened> {
  const member = newMember(crew, {
    identity,
    session,
    task: "",
    parent: undefined,
    isErrand: false,
    ceilings,
    budget,
  });
  const agent = await openMember(crew, member, "");
  const read = readIn(agent.messages());
  for (const message of unread) {
    // Whoever had the session before may have ended between reading a message and crossing it off.
    if (read.has(message.id)) await crew.kept.remove(session, message).catch(() => undefined);
    else member.mailbox.put(message);
  }
  return { member, agent };
}

function newMember(crew: Crew, given: Omit<Parameters<typeof createMember>[0], "mailbox">): Member {
  const mailbox = createMailbox((message) => {
    crew.kept.remove(given.session, message).catch(() => undefined);
  });
  const member = createMember({ ...given, mailbox });
  crew.roster.add(member);
  return member;
}

/** What a call was given has become part of the conversation only when the calls are over. */
const IN_A_CALL: ReadonlySet<AgentState> = new Set([
  "executing_tools",
  "waiting_for_approval",
  "waiting_for_message",
]);

async function openMember(crew: Crew, member: Member, instructions: string): Promise<RunningAgent> {
  const { cancelling, mailbox } = member;
  let agent: RunningAgent;
  try {
    agent = await crew.options.open(optionsOf(crew, member, instructions));
  } catch (error) {
    crew.roster.drop(member);
    member.ended.resolve({ state: "failed", text: "", outcome: undefined, spent: NOTHING_SPENT });
    crew.rest();
    throw error;
  }
  member.agent = agent;
  member.stopListening = agent.on((event) => {
    if (event.type === "message.added") endSpentPurses(crew, member);
    if (event.type !== "agent.state") return;
    if (!IN_A_CALL.has(event.state)) mailbox.settle();
    crew.tell({ type: "member.changed", member: view(member) });
  });
  crew.tell({ type: "member.added", member: view(member) });
  if (!cancelling.signal.aborted) return agent;
  await endMember(crew, member, cancelled("it was cancelled before it began"));
  throw cancelling.signal.reason;
}

/** An agent by itself only knows what it has spent of the purse; those above it may just be waiting. */
function endSpentPurses(crew: Crew, { parent }: Member): void {
  for (let one = parent; one !== undefined; one = one.parent) {
    const kind = emptyPurse(one);
    if (kind !== undefined)
      void cancelBelow(crew, one, `the budget (${kind}) of ${one.identity.id} is spent`);
  }
}

function optionsOf(crew: Crew, member: Member, instructions: string): MemberOptions {
  const { identity, session, parent, ceilings, budget, mailbox } = member;
  return {
    identity,
    session,
    ...(parent !== undefined && { parentSession: parent.session }),
    instructions,
    ceilings,
    budget,
    spentByOthers: () => spentBelow(member),
    context: crew.context,
    incoming: async () => mailbox.take().map(toUserMessage),
  };
}

function toUserMessage(message: TeamMessage): UserMessage {
  const content = [{ type: "text", text: renderMessage(message) }] as const;
  return { role: "user", content, from: { ...toSender(message.from), messageId: message.id } };
}

/** Throws where the limits of the team leave no room. */
function makeRoom(crew: Crew, parent: Member): void {
  const { depth, members } = crew.limits;
  if (crew.closing !== undefined) throw new ToolError("UNAVAILABLE", "the team is closed");
  if (parent.finish !== undefined) throw new ToolError("TOOL_FAILED", "you have finished your work");
  if (parent.depth >= depth) {
    throw new ToolError("TOOL_FAILED", `agents are nested ${depth} deep at most, and you are that deep`, {
      hint: "do it yourself",
      details: { depth },
    });
  }
  const living = crew.roster.living().filter(({ ending }) => ending === undefined);
  if (living.length < members) return;
  const idle = living.find((one) => one.parent !== undefined && isAtRest(one));
  if (idle === undefined) {
    throw new ToolError("TOOL_FAILED", `a team has ${members} agents at most, and all of them work`, {
      hint: "wait_for_message waits until one of them is done",
      details: { members },
    });
  }
  // It has told what it found, and makes room for another.
  void endMember(crew, idle, idle.last);
}

function isAtRest(member: Member): boolean {
  return !isBusy(member) && !isOver(member) && member.last !== undefined && member.children.size === 0;
}

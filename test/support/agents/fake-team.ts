import { setTimeout as sleep } from "node:timers/promises";
import { provide, type AgentInfo, type Provided } from "../../../src/core/context.ts";
import type { ToolError } from "../../../src/core/errors.ts";
import {
  AgentControlKey,
  TeamKey,
  type AgentControl,
  type Team,
  type TeamMember,
  type TeamMessage,
} from "../../../src/core/agent/team.ts";

/** A team for tests of the tools alone: it records its calls and returns what the test sets. */
export interface FakeTeam extends Team {
  readonly asked: { readonly [K in keyof Team]: Parameters<Team[K]>[number][] };
  /** What happened to the calling agent, in order. */
  readonly happened: string[];
  /** If set, every call of the team fails with it. */
  fault: ToolError | undefined;
  waiting: readonly TeamMessage[];
  /** How long a wait takes. */
  delayMs: number;
  known: readonly TeamMember[];
  /** For the calls of an agent; without a control there is a team but no agent. */
  context(options?: { readonly withControl?: boolean }): readonly Provided[];
}

export const SCOUT: AgentInfo = { id: "agent-1", name: "scout", parentId: "lead" };

export function fakeTeam(): FakeTeam {
  const asked: FakeTeam["asked"] = { create: [], delegate: [], send: [], wait: [], members: [], finish: [] };
  const happened: string[] = [];
  const control: AgentControl = {
    waitsForMessage() {
      happened.push("waits");
      return () => happened.push("waits no more");
    },
    finish: () => happened.push("finishes"),
  };
  const ask = (): void => {
    if (team.fault !== undefined) throw team.fault;
  };
  const team: FakeTeam = {
    asked,
    happened,
    fault: undefined,
    waiting: [],
    delayMs: 0,
    known: [],
    context: ({ withControl = true } = {}) => [
      provide(TeamKey, team),
      ...(withControl ? [provide(AgentControlKey, control)] : []),
    ],
    async create(member) {
      asked.create.push(member);
      ask();
      const { name, task, by } = member;
      return { id: "agent-2", name, task, parentId: by.id, state: "idle", result: undefined };
    },
    async delegate(task) {
      asked.delegate.push(task);
      task.emit("half way");
      ask();
      return { agentId: "agent-2", text: "It is blue.", turns: 3, calls: 2 };
    },
    async send(message) {
      asked.send.push(message);
      ask();
      return { ...message, id: "message-1", at: 1 };
    },
    async wait(waiting) {
      asked.wait.push(waiting);
      happened.push("is asked");
      ask();
      await sleep(team.delayMs);
      return team.waiting;
    },
    members: () => team.known,
    async finish(done) {
      asked.finish.push(done);
      ask();
    },
  };
  return team;
}

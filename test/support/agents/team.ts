import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createAgent } from "../../../src/agent/create-agent.ts";
import type { RunningAgent } from "../../../src/agent/runtime/running-agent.ts";
import { createTeam } from "../../../src/agent/team/create-team.ts";
import type {
  MemberOptions,
  RootOptions,
  TeamEvent,
  TeamHandle,
  TeamOptions,
} from "../../../src/agent/team/team-handle.ts";
import type { Content } from "../../../src/core/content.ts";
import type { ToolError } from "../../../src/core/errors.ts";
import type { Message } from "../../../src/core/agent/message.ts";
import type { ModelRequest } from "../../../src/core/agent/model.ts";
import {
  TeamKey,
  type NewMember,
  type Team,
  type TeamMember,
  type TeamMessage,
} from "../../../src/core/agent/team.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { agentTools } from "../../../src/tools/agents/family.ts";
import { engineOf } from "../engines/sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { fakeModel, type FakeAnswer } from "../models/fake-model.ts";

/** Answers the requests of the agent with a name; the index counts its own requests. */
export type Script = (
  request: ModelRequest,
  index: number,
  member: MemberOptions,
) => FakeAnswer | Promise<FakeAnswer>;

export interface TeamPlace {
  readonly team: TeamHandle;
  readonly root: RunningAgent;
  readonly engine: Engine;
  readonly events: readonly TeamEvent[];
  /** Every agent that was opened, in order. */
  readonly opened: readonly MemberOptions[];
  /** The sessions of the engine that are open. */
  readonly sessions: ReadonlySet<string>;
  readonly folder: string;
}

export interface TeamPlaceOptions extends Omit<Partial<TeamOptions>, "open"> {
  readonly root?: Partial<RootOptions>;
  readonly engine?: EngineOptions;
  readonly folder?: string;
  /** Before an agent is opened. */
  readonly opening?: (member: MemberOptions) => void | Promise<void>;
}

export const ROOT = { id: "lead", name: "lead" } as const;

/** Opens a team on a real engine and a real store; each agent answers by the script of its name. */
export async function openTeam(
  t: TestContext,
  scripts: Readonly<Record<string, Script>>,
  {
    engine: engineOptions = {},
    folder: given,
    opening,
    root: rootOptions,
    ...options
  }: TeamPlaceOptions = {},
): Promise<TeamPlace> {
  const folder = given ?? temporaryFolder(t);
  const store = await openStore({ folder });
  const { collections, journal } = store;
  const { tools = [], ...rest } = engineOptions;
  const sessions = new Set<string>();
  const engine = countSessions(
    engineOf(t, { journal, ...rest, tools: [...tools, ...agentTools()] }),
    sessions,
  );
  engine.groups.activate("agents");
  const opened: MemberOptions[] = [];
  const events: TeamEvent[] = [];
  const team = createTeam({
    collections,
    ...options,
    async open(member) {
      await opening?.(member);
      opened.push(member);
      const script = scripts[member.identity.name];
      const model = fakeModel((request, index) => {
        if (script === undefined) throw new Error(`no script for ${member.identity.name}`);
        return script(request, index, member);
      });
      return createAgent({
        engine,
        model: team.share(model),
        collections,
        journal,
        workspace: folder,
        ...member,
        instructions: `Be good.\n\n${member.instructions}`,
      });
    },
  });
  team.on((event) => events.push(event));
  t.after(async () => {
    await team.close();
    await engine.close();
    await store.close();
  });
  const root = await team.root({ identity: ROOT, session: "s", ...rootOptions });
  return { team, root, engine, events, opened, sessions, folder };
}

function countSessions(engine: Engine, sessions: Set<string>): Engine {
  return {
    ...engine,
    session(id, options) {
      const session = engine.session(id, options);
      sessions.add(id);
      return {
        ...session,
        async close() {
          await session.close();
          sessions.delete(id);
        },
      };
    },
  };
}

/** An answer that calls one tool. */
export function calls(name: string, input: object = {}): FakeAnswer {
  return { calls: [{ name, input }] };
}

/** Returns the texts that an agent received, in order: as messages, or as results of `wait_for_message`. */
export function receivedTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return texts(message.content);
    if (message.role !== "tool") return [];
    return message.results.flatMap(({ name, content }) =>
      name === "wait_for_message" ? texts(content) : [],
    );
  });
}

function texts(content: readonly Content[]): readonly string[] {
  return content.flatMap((one) => (one.type === "text" ? [one.text] : []));
}

/** Returns the result of the last call in a request. */
export function lastAnswer({ messages }: Pick<ModelRequest, "messages">): string {
  const last = messages.findLast(({ role }) => role === "tool");
  if (last?.role !== "tool") return "";
  return last.results.flatMap(({ content }) => texts(content)).join("\n");
}

/** Creates a promise that the test resolves. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Gives no answer until it is aborted. */
export const SILENT: Script = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("ended"))));

export interface QuietTeam extends TeamPlace {
  /** As the tools see it. */
  readonly own: Team;
  /** Creates a child of the root. */
  readonly create: (name: string, more?: Partial<NewMember>) => Promise<TeamMember>;
  /** Writes as the root. */
  readonly write: (to: string, text?: string) => Promise<TeamMessage>;
}

/** Opens a team whose root is controlled by the test; the children answer by their scripts. */
export async function openQuietTeam(
  t: TestContext,
  scripts: Readonly<Record<string, Script>>,
  options: TeamPlaceOptions = {},
): Promise<QuietTeam> {
  const place = await openTeam(t, { lead: () => ({ text: "I see." }), ...scripts }, options);
  const own = place.opened[0]?.context.find(({ key }) => key.name === TeamKey.name)?.value as Team;
  return {
    ...place,
    own,
    create: (name, more = {}) =>
      own.create({ by: ROOT, name, task: `I am ${name}.`, inheritsContext: false, skills: [], ...more }),
    write: (to, text = "Hello.") => own.send({ from: ROOT, to, type: "query", priority: "normal", text }),
  };
}

/** Returns a check of an error's code, message and hint. */
export function failure(code: string, message: RegExp, hint = /(?:)/) {
  return (error: ToolError): boolean => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
    return true;
  };
}

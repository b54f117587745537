import type { Model } from "../../../core/agent/model.ts";
import type { Content } from "../../../core/content.ts";
import type { JsonObject } from "../../../core/json.ts";
import { wakeForHooks } from "../../../agent/hooks/wake-for-hooks.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Entry, SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import { defined } from "../../../util/json/defined.ts";
import type { AgentHost, OpenAgent, OpenAgentOptions } from "../../host/agent/agent-host.ts";
import type { Host } from "../../host/host.ts";
import { findConfiguredModels, openConfiguredModel } from "../../host/open-configured-model.ts";
import type { Chat } from "../api/chat-shapes.ts";
import type { AnswerOf } from "../api/routes.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { Chats } from "./served.ts";
import { Refusal } from "../api/refusal.ts";

export interface ChatsOptions {
  readonly host: Host;
  readonly agents: () => AgentHost;
  readonly hub: EventHub;
  readonly mode: () => Chat["mode"];
}

interface OpenChat {
  readonly agent: OpenAgent;
  readonly openedAt: number;
  model: Model;
  running: number;
  /** The message that the agent writes, until it is stored. */
  draft: Omit<Chat["draft"], "after">;
  readonly stop: () => void;
}

function isOfPerson(entry: Entry): boolean {
  return entry.kind === "message" && entry.message.role === "user" && entry.message.from === undefined;
}

function noMessage(id: string, seq: number): Refusal {
  const message = `the session ${JSON.stringify(id)} has no message of a person with the number ${seq}`;
  return new Refusal("NOT_FOUND", message, "GET /api/sessions/{id} has its entries with their seq");
}

const NO_DRAFT = { text: "", reasoning: "" };

/** More would use too much memory; the oldest that does nothing is closed. */
const MAX_CHATS = 50;

export function createChats({ host, agents, hub, mode }: ChatsOptions): Chats {
  const chats = new Map<string, OpenChat>();
  const find = (id: string): OpenChat => findChat(chats, id);
  const chatOf = (id: string): Chat => toChat(id, find(id), { mode: mode(), after: hub.lastId() });
  const close = async (id: string): Promise<void> => {
    const { agent, stop } = find(id);
    chats.delete(id);
    stop();
    await agent.close();
    hub.emit({ type: "chat.closed", at: Date.now(), session: id });
  };
  const { config, engine } = host;
  const openModel = (name: string | undefined): Promise<Model> =>
    openConfiguredModel(config, engine.masker.learn, name);
  let modelList: ReturnType<typeof findConfiguredModels> | undefined;
  const open: Chats["open"] = async ({ resume, model: name }) => {
    if (resume !== undefined && chats.has(resume)) return chatOf(resume);
    const model = await openModel(name);
    const agent = await openAgent({ host, agents, hub, mode }, chats, { model, resume });
    const id = agent.agent.session;
    const stop = wakeForHooks(engine, agent.agent);
    chats.set(id, { agent, openedAt: Date.now(), model, running: 0, draft: NO_DRAFT, stop });
    const idle = [...chats].find(([other, { running }]) => other !== id && running === 0)?.[0];
    if (chats.size > MAX_CHATS && idle !== undefined) await close(idle);
    return chatOf(id);
  };
  return {
    open,
    list: () => [...chats.keys()].map(chatOf),
    get: chatOf,
    send(id, content) {
      const chat = find(id);
      const isQueued = chat.running > 0;
      void sendTo(chat, id, content, hub);
      return isQueued;
    },
    async fork(id, before) {
      const copy = await copyBefore(agents().transcripts, id, before);
      return open(defined({ resume: copy?.id, model: chats.get(id)?.model.id }));
    },
    async use(id, name) {
      const chat = find(id);
      const model = await openModel(name);
      chat.agent.use(model);
      chat.model = model;
      return chatOf(id);
    },
    context: (id) => contextOf(find(id)),
    models: () => (modelList ??= findConfiguredModels(config, { learn: engine.masker.learn })),
    cancel: (id) => find(id).agent.agent.cancel("interrupted"),
    close,
    async closeAll() {
      await Promise.allSettled([...chats.keys()].map(close));
    },
  };
}

function findChat(chats: ReadonlyMap<string, OpenChat>, id: string): OpenChat {
  const chat = chats.get(id);
  if (chat !== undefined) return chat;
  const message = `no open conversation has the id ${JSON.stringify(id)}`;
  throw new Refusal("NOT_FOUND", message, 'open a stored one: POST /api/chats {"resume": ID}');
}

async function contextOf({ agent, model }: OpenChat): Promise<AnswerOf<"chatContext">> {
  const { parts, countedTokens } = await agent.agent.context();
  const estimated = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return { window: model.window, tokens: countedTokens ?? estimated, parts: [...parts] };
}

function openAgent(
  { host, agents, hub }: ChatsOptions,
  chats: ReadonlyMap<string, OpenChat>,
  options: Pick<OpenAgentOptions, "model" | "resume">,
): Promise<OpenAgent> {
  return agents().open({
    ...options,
    kind: "chat",
    budget: host.config.agent.budget,
    onEvent(event) {
      const chat = chats.get(event.session);
      if (chat !== undefined) chat.draft = extendDraft(chat.draft, event);
      hub.emit({ ...event, at: Date.now() });
    },
  });
}

/** Copies a conversation up to a message of a person; returns undefined if that is the first. Throws if there is no such message. */
async function copyBefore(
  transcripts: Transcripts,
  id: string,
  before: number,
): Promise<SessionInfo | undefined> {
  const entries = await transcripts.entries(id);
  if (!entries.some((entry) => entry.seq === before && isOfPerson(entry))) throw noMessage(id, before);
  const hasEarlier = entries.some((entry) => entry.kind === "message" && entry.seq < before);
  return hasEarlier ? transcripts.fork(id, { at: before - 1 }) : undefined;
}

/** Never rejects. */
async function sendTo(
  chat: OpenChat,
  session: string,
  content: readonly Content[],
  hub: EventHub,
): Promise<void> {
  chat.running += 1;
  const outcome = await chat.agent.agent.send(content);
  chat.running -= 1;
  // An answer that failed or was cancelled is not stored.
  if (chat.running === 0) chat.draft = NO_DRAFT;
  hub.emit({ type: "chat.ended", at: Date.now(), session, outcome });
}

/** Returns the message under way after an event. */
function extendDraft(draft: OpenChat["draft"], event: AgentEvent): OpenChat["draft"] {
  if (event.type === "model.text") return { ...draft, text: draft.text + event.text };
  if (event.type === "model.reasoning") return { ...draft, reasoning: draft.reasoning + event.text };
  // A retried answer begins again; a stored one is a message.
  const isOver = event.type === "model.retried" || event.type === "message.added";
  return isOver ? NO_DRAFT : draft;
}

function toChat(
  id: string,
  { agent, openedAt, model, running, draft }: OpenChat,
  { mode, after }: { readonly mode: Chat["mode"]; readonly after: string },
): Chat {
  return {
    id,
    model: model.id,
    mode,
    state: agent.agent.state,
    isBusy: running > 0,
    openedAt,
    spent: { ...agent.agent.spent() } as unknown as JsonObject,
    team: agent.team.members(),
    draft: { ...draft, after },
  };
}

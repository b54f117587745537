import type { JsonObject } from "../../../core/json.ts";
import { wakeForHooks } from "../../../agent/hooks/wake-for-hooks.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { AgentHost, OpenAgent } from "../../host/agent/agent-host.ts";
import type { Host } from "../../host/host.ts";
import { openConfiguredModel } from "../../host/open-configured-model.ts";
import type { Chat } from "../api/chat-shapes.ts";
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
  model: string;
  running: number;
  /** The message that the agent writes, until it is stored. */
  draft: Omit<Chat["draft"], "after">;
  readonly stop: () => void;
}

const NO_DRAFT = { text: "", reasoning: "" };

/** More would use too much memory; the oldest that does nothing is closed. */
const MAX_CHATS = 50;

export function createChats({ host, agents, hub, mode }: ChatsOptions): Chats {
  const chats = new Map<string, OpenChat>();
  const find = (id: string): OpenChat => {
    const chat = chats.get(id);
    if (chat !== undefined) return chat;
    const message = `no open conversation has the id ${JSON.stringify(id)}`;
    throw new Refusal("NOT_FOUND", message, 'open a stored one: POST /api/chats {"resume": ID}');
  };
  const chatOf = (id: string): Chat => toChat(id, find(id), { mode: mode(), after: hub.lastId() });
  const close = async (id: string): Promise<void> => {
    const { agent, stop } = find(id);
    chats.delete(id);
    stop();
    await agent.close();
    hub.emit({ type: "chat.closed", at: Date.now(), session: id });
  };
  return {
    async open({ resume, model: name }) {
      if (resume !== undefined && chats.has(resume)) return chatOf(resume);
      const model = await openConfiguredModel(host.config, host.engine.masker.learn, name);
      const agent = await agents().open({
        model,
        resume,
        kind: "chat",
        budget: host.config.agent.budget,
        onEvent(event) {
          const chat = chats.get(event.session);
          if (chat !== undefined) chat.draft = extendDraft(chat.draft, event);
          hub.emit({ ...event, at: Date.now() });
        },
      });
      const id = agent.agent.session;
      const stop = wakeForHooks(host.engine, agent.agent);
      chats.set(id, { agent, openedAt: Date.now(), model: model.id, running: 0, draft: NO_DRAFT, stop });
      const idle = [...chats].find(([other, { running }]) => other !== id && running === 0)?.[0];
      if (chats.size > MAX_CHATS && idle !== undefined) await close(idle);
      return chatOf(id);
    },
    list: () => [...chats.keys()].map(chatOf),
    get: chatOf,
    send(id, text) {
      const chat = find(id);
      const isQueued = chat.running > 0;
      void sendTo(chat, id, text, hub);
      return isQueued;
    },
    cancel: (id) => find(id).agent.agent.cancel("interrupted"),
    close,
    async closeAll() {
      await Promise.allSettled([...chats.keys()].map(close));
    },
  };
}

/** Never rejects. */
async function sendTo(chat: OpenChat, session: string, text: string, hub: EventHub): Promise<void> {
  chat.running += 1;
  const outcome = await chat.agent.agent.send(text);
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
    model,
    mode,
    state: agent.agent.state,
    isBusy: running > 0,
    openedAt,
    spent: { ...agent.agent.spent() } as unknown as JsonObject,
    team: agent.team.members(),
    draft: { ...draft, after },
  };
}

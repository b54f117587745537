import type { Handlers } from "../api/handlers.ts";
import type { Served } from "../server/served.ts";

type ChatHandlers = Pick<
  Handlers,
  "chats" | "openChat" | "chat" | "sendMessage" | "cancelChat" | "closeChat"
>;

export function chatHandlers({ chats }: Served): ChatHandlers {
  return {
    chats: () => ({ chats: chats.list() }),
    openChat: ({ body }) => chats.open(body),
    chat: ({ params: { id = "" } }) => chats.get(id),
    sendMessage: ({ params: { id = "" }, body }) => ({ id, isQueued: chats.send(id, body.text) }),
    cancelChat: ({ params: { id = "" } }) => ({ cancelled: chats.cancel(id) }),
    async closeChat({ params: { id = "" } }) {
      await chats.close(id);
      return { ok: true };
    },
  };
}

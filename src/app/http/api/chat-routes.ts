import { boolean, list, object, optional, string } from "../../../schema/define/schema.ts";
import * as calls from "./call-shapes.ts";
import * as chat from "./chat-shapes.ts";
import * as figures from "./figure-shapes.ts";
import * as sessions from "./session-shapes.ts";
import { Ok, operation, type Route } from "./route.ts";

const [get, post, put, remove] = [operation("GET"), operation("POST"), operation("PUT"), operation("DELETE")];

/** The operations of sessions, and of conversations that are open. */
export const CHAT_ROUTES = {
  sessions: get("/api/sessions", "stored sessions, the last used first", {
    rights: ["read"],
    query: object({ all: optional(boolean("of every folder"), false) }),
    answer: object({ sessions: list(sessions.SessionShape) }),
  }),
  session: get("/api/sessions/{id}", "a session with its conversation and calls", {
    rights: ["read"],
    answer: sessions.SessionDetail,
  }),
  waterfall: get(
    "/api/sessions/{id}/waterfall",
    "what happened in a session and its agents over time, and its cost",
    {
      rights: ["read"],
      answer: figures.Waterfall,
    },
  ),
  renameSession: put("/api/sessions/{id}/title", "give a session another title", {
    rights: ["admin"],
    body: chat.Title,
    answer: Ok,
  }),
  deleteSession: remove("/api/sessions/{id}", "delete a stored session", { rights: ["admin"], answer: Ok }),
  agents: get("/api/agents", "the graph of agents: those that work here, and of stored sessions", {
    rights: ["read"],
    query: object({ session: optional(string("only the team of this session")) }),
    answer: object({ agents: list(sessions.AgentNode, "parents before their children") }),
  }),

  chats: get("/api/chats", "conversations that are open in this process", {
    rights: ["read"],
    answer: object({ chats: list(chat.Chat) }),
  }),
  openChat: post("/api/chats", "open a conversation with the agent, or a stored one", {
    rights: ["admin"],
    body: chat.NewChat,
    answer: chat.Chat,
  }),
  chat: get("/api/chats/{id}", "an open conversation; GET /api/sessions/{id} has its messages", {
    rights: ["read"],
    answer: chat.Chat,
  }),
  sendMessage: post("/api/chats/{id}/messages", "send a message; events of the session stream the answer", {
    rights: ["admin"],
    body: chat.ChatMessage,
    answer: chat.ChatSent,
  }),
  forkChat: post(
    "/api/chats/{id}/fork",
    "open a copy of a conversation, open or stored, that ends before a message: to send that message again or another",
    { rights: ["admin"], body: chat.ChatFork, answer: chat.Chat },
  ),
  setChatModel: put("/api/chats/{id}/model", "use another model from the next request on", {
    rights: ["admin"],
    body: chat.ChatModel,
    answer: chat.Chat,
  }),
  chatContext: get("/api/chats/{id}/context", "how much of the model's window the next request takes", {
    rights: ["read"],
    answer: chat.ChatContext,
  }),
  models: get("/api/models", "the models that conversations can use", {
    rights: ["admin"],
    answer: chat.Models,
  }),
  cancelChat: post("/api/chats/{id}/cancel", "stop what the agent does", {
    rights: ["admin"],
    answer: calls.Cancelled,
  }),
  closeChat: remove("/api/chats/{id}", "close a conversation; it stays stored", {
    rights: ["admin"],
    answer: Ok,
  }),
} as const satisfies Readonly<Record<string, Route>>;

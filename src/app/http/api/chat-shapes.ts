import type { TeamMember } from "../../../core/agent/team.ts";
import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { Mode } from "./call-shapes.ts";
import { anyObject, at, typed } from "./typed.ts";

const ChatDraft = object(
  {
    text: string(),
    reasoning: string(),
    after: string("id of the last event that it holds; later ones add to it"),
  },
  "the message that the agent writes; empty if it writes none",
);

export const Chat = object({
  id: string("the session"),
  model: string(),
  mode: Mode,
  state: string("of the agent; idle: it waits for a message"),
  isBusy: boolean(),
  openedAt: number(at),
  spent: anyObject("tokens, money, turns of the session"),
  team: list(typed<TeamMember>("an agent")),
  draft: ChatDraft,
});
export type Chat = Infer<typeof Chat>;

export const NewChat = object({
  resume: optional(string("the stored session to go on with")),
  model: optional(string("provider/name; default: the configured one")),
});

export const Attachment = object(
  {
    mimeType: string("image/png, text/plain …", { min: 3, max: 200 }),
    data: string("base64", { min: 1 }),
    name: optional(string("of the file", { max: 300 })),
  },
  "an image, which the model sees, a text, which it reads, or another file",
);
export type Attachment = Infer<typeof Attachment>;

export const ChatMessage = object({
  text: string("the message; may be empty if something is attached", { max: 1_000_000 }),
  attachments: optional(list(Attachment, "at most 20", { max: 20 })),
});
export type ChatMessage = Infer<typeof ChatMessage>;

export const ChatFork = object({
  before: integer("`seq` of a message of a person: the copy ends before it", { min: 1 }),
});

export const ChatModel = object({ model: string("provider/name", { min: 1 }) });

export const Models = object({
  models: list(
    object({
      id: string("provider/name"),
      provider: string(),
      where: string("what names it or has its key"),
    }),
    "those that can be used now",
  ),
});

export const ChatContext = object({
  window: integer("tokens that the model takes"),
  tokens: integer("of the next request: counted by the provider if it has answered, else estimated"),
  parts: list(
    object({
      kind: oneOf(["prompt", "tools", "messages"]),
      name: string(),
      count: integer(),
      tokens: integer("estimated"),
    }),
  ),
});

export const Title = object({ title: string("of the session", { min: 1, max: 500 }) });
export const ChatSent = object({
  id: string(),
  isQueued: boolean("the agent works; it reads the message before its next request"),
});

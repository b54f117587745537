import type { TeamMember } from "../../../core/agent/team.ts";
import {
  boolean,
  list,
  number,
  object,
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
export const ChatMessage = object({ text: string("the message", { min: 1, max: 1_000_000 }) });
export const ChatSent = object({
  id: string(),
  isQueued: boolean("the agent works; it reads the message before its next request"),
});

import type { Sender, UserMessage } from "../../core/agent/message.ts";

/** A message of the user's side, of text. */
export function userMessage(text: string, from?: Sender): UserMessage {
  return { role: "user", content: [{ type: "text", text }], ...(from === undefined ? {} : { from }) };
}

/** A message that the loop itself puts into the conversation. */
export function guardMessage(name: string, text: string): UserMessage {
  return userMessage(text, { kind: "guard", id: name, name });
}

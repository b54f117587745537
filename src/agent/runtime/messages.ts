import type { Content } from "../../core/content.ts";
import type { AssistantPart, Message, Sender, UserMessage } from "../../core/agent/message.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";

/** Creates a text message in the user role. */
export function userMessage(text: string, from?: Sender): UserMessage {
  return { role: "user", content: [{ type: "text", text }], ...defined({ from }) };
}

/** Creates a message that the loop itself adds to the conversation. */
export function guardMessage(name: string, text: string): UserMessage {
  return userMessage(text, { kind: "guard", id: name, name });
}

type Mask = (text: string, name?: string) => string;

/** Masks secrets in a message and removes the provider's opaque data. Results are masked already. */
export function maskMessage(message: Message, mask: Mask): Message {
  if (message.role === "tool") return message;
  if (message.role === "user") return { ...message, content: maskContent(message.content, mask) };
  return { ...message, parts: message.parts.map((part) => maskPart(part, mask)) };
}

export function maskContent(content: readonly Content[], mask: Mask): readonly Content[] {
  return content.map((one) => (one.type === "text" ? { ...one, text: mask(one.text) } : one));
}

function maskPart(part: AssistantPart, mask: Mask): AssistantPart {
  if (part.type !== "call") return { type: part.type, text: mask(part.text) };
  return { type: "call", call: { ...part.call, input: copyJson(part.call.input, undefined, mask) } };
}

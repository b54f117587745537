import type { Content } from "../../core/content.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import { copyJson } from "../../util/json/copy-json.ts";

type Mask = (text: string) => string;

/** A message as others may see it: secrets hidden, without what is between us and the provider. Results are masked already. */
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

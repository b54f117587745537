import type { Content } from "../../core/content.ts";
import type { AssistantMessage, Sender, UserMessage } from "../../core/agent/message.ts";

/** What a reader would see of content; what is not text is named in brackets. */
export function textOfContent(content: readonly Content[]): string {
  return content.map((one) => (one.type === "text" ? one.text : `[${one.type}]`)).join("\n");
}

/** What a model said, without its reasoning and its calls. */
export function textOfAnswer({ parts }: Pick<AssistantMessage, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** A message of the user's side, of text. */
export function userMessage(text: string, from?: Sender): UserMessage {
  return { role: "user", content: [{ type: "text", text }], ...(from === undefined ? {} : { from }) };
}

/** A message that the loop itself puts into the conversation. */
export function guardMessage(name: string, text: string): UserMessage {
  return userMessage(text, { kind: "guard", id: name, name });
}

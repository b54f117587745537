import type { ToolCall } from "../call.ts";
import type { Content } from "../content.ts";
import type { JsonObject } from "../json.ts";
import type { ToolResult } from "../result.ts";

/** One piece of what a model said. `opaque` is the provider's own, kept as it came and sent back with the piece. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly opaque?: JsonObject }
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: JsonObject }
  | { readonly type: "call"; readonly call: ToolCall; readonly opaque?: JsonObject };

/** Who put a message into a conversation, where it was not the person who talks to the agent. */
export interface Sender {
  readonly kind: "agent" | "hook" | "guard";
  readonly id: string;
  readonly name: string;
  /** Of the message of a team that it was, so that it is not said twice. */
  readonly messageId?: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly Content[];
  readonly from?: Sender;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly parts: readonly AssistantPart[];
}

/** The answers to every call of the assistant message before it, in the order of the calls. */
export interface ToolMessage {
  readonly role: "tool";
  readonly results: readonly ToolResult[];
}

/** What was said, as every provider can be told it. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** The calls of a message, in order. */
export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
}

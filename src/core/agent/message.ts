import type { ToolCall } from "../call.ts";
import type { Content } from "../content.ts";
import type { JsonObject } from "../json.ts";
import type { ToolResult } from "../result.ts";

/** One part of a model's answer. `opaque` is data of the provider, stored unchanged and sent back with the part. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly opaque?: JsonObject }
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: JsonObject }
  | { readonly type: "call"; readonly call: ToolCall; readonly opaque?: JsonObject };

/** The sender of a message that does not come from the user. */
export interface Sender {
  readonly kind: "agent" | "hook" | "guard" | "host";
  readonly id: string;
  readonly name: string;
  /** Id of the team message, so that it is not delivered twice. */
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

/** The answers to all calls of the assistant message before it, in the order of the calls. */
export interface ToolMessage {
  readonly role: "tool";
  readonly results: readonly ToolResult[];
}

/** A message of a conversation, independent of the provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Returns the calls of a message, in order. */
export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
}

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
  /** `guard`: the agent's own warnings about its task; `host`: the program that runs the agent. */
  readonly kind: "agent" | "hook" | "guard" | "host";
  readonly id: string;
  readonly name: string;
  /** Id of the team message, so that it is not delivered twice. */
  readonly messageId?: string;
}

/** A message to the model, by the user or by `from`. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly Content[];
  readonly from?: Sender;
}

/** What a model answered. */
export interface AssistantMessage {
  readonly role: "assistant";
  /** In the order in which the model wrote them. */
  readonly parts: readonly AssistantPart[];
}

/** The answers to all calls of the assistant message before it, in the order of the calls. */
export interface ToolMessage {
  readonly role: "tool";
  /** One for each call. */
  readonly results: readonly ToolResult[];
}

/** A message of a conversation, independent of the provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Returns the calls of a message, in order. */
export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
}

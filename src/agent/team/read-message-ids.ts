import { isObject, type Json } from "../../core/json.ts";
import type { Message } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";

/** Returns the ids of the team messages in a conversation: user messages, and results of `wait_for_message`. */
export function readMessageIds(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      if (message.role === "user") return message.from?.messageId ?? [];
      return message.role === "tool" ? message.results.flatMap(idsIn) : [];
    }),
  );
}

function idsIn(result: ToolResult): readonly string[] {
  if (!result.ok || result.name !== "wait_for_message" || !isObject(result.data)) return [];
  const { messages } = result.data;
  return Array.isArray(messages) ? (messages as readonly Json[]).flatMap(idOf) : [];
}

function idOf(message: Json): readonly string[] {
  const id = isObject(message) ? message["message_id"] : undefined;
  return typeof id === "string" ? [id] : [];
}

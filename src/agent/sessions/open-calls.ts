import type { ToolCall } from "../../core/call.ts";
import { callsOf, type Message } from "../../core/agent/message.ts";

/** Returns the calls of the last assistant message that have no result. Earlier calls always have one. */
export function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[last];
  if (message?.role !== "assistant") return [];
  const answered = new Set(
    messages
      .slice(last + 1)
      .flatMap((later) => (later.role === "tool" ? later.results.map(({ callId }) => callId) : [])),
  );
  return callsOf(message).filter(({ id }) => !answered.has(id));
}

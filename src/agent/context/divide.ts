import { callsOf, type Message } from "../../core/agent/message.ts";
import type { StoredMessage } from "../sessions/conversation-of.ts";

/** Messages that must stay together: a message with its calls and their results, or a single message. */
export type Exchange = readonly StoredMessage[];

/** Divides a conversation into the pieces between which it can be cut. */
export function exchangesOf(messages: readonly StoredMessage[]): readonly Exchange[] {
  const exchanges: StoredMessage[][] = [];
  for (const one of messages) {
    const open = exchanges.at(-1);
    if (open !== undefined && (one.message.role === "tool" || isWaiting(open))) open.push(one);
    else exchanges.push([one]);
  }
  return exchanges;
}

/** True while results are missing: messages in between belong to the exchange. */
function isWaiting(exchange: Exchange): boolean {
  const messages: readonly Message[] = exchange.map(({ message }) => message);
  const answered = new Set(
    messages.flatMap((message) =>
      message.role === "tool" ? message.results.map(({ callId }) => callId) : [],
    ),
  );
  return messages.some(
    (message) => message.role === "assistant" && callsOf(message).some(({ id }) => !answered.has(id)),
  );
}

import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { Message } from "../../core/agent/message.ts";
import { callsOf } from "../../core/agent/message.ts";
import { openCalls } from "./open-calls.ts";
import type { Entry } from "./transcript.ts";

/** A message under the number of its entry. */
export interface StoredMessage {
  readonly seq: number;
  readonly message: Message;
}

/** A session as its agent goes on with it. */
export interface StoredConversation {
  /** What the model is to see, a summary of what it no longer sees first, under the number 0. */
  readonly messages: readonly StoredMessage[];
  readonly parts: readonly InstructionPart[];
  readonly turns: number;
  /** Of the whole session, as `usage` is. */
  readonly calls: number;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Undefined where the cost of any of it is not known. */
    readonly cost: number | undefined;
  };
}

/** Makes of a session's entries what its model is to see now. Never gives half of a call and its result, where both are kept. */
export function conversationOf(entries: readonly Entry[]): StoredConversation {
  let messages: StoredMessage[] = [];
  let parts: readonly InstructionPart[] = [];
  let [turns, calls] = [0, 0];
  let usage: StoredConversation["usage"] = { inputTokens: 0, outputTokens: 0, cost: 0 };
  for (const entry of entries) {
    if ("turn" in entry) turns = Math.max(turns, entry.turn);
    if (entry.kind === "message") {
      messages.push({ seq: entry.seq, message: entry.message });
      if (entry.message.role === "assistant") calls += callsOf(entry.message).length;
    }
    if (entry.kind === "compaction")
      messages = [summaryMessage(entry.summary), ...from(messages, entry.keptFrom)];
    if (entry.kind === "instructions") parts = entry.parts;
    if (entry.kind === "instructions" && !entry.keepsHistory) messages = runningTurn(messages);
    if (entry.kind === "usage") usage = added(usage, entry);
  }
  return { messages, parts, turns, calls, usage };
}

/** What a model is told in place of the messages that it no longer sees. */
export function summaryMessage(summary: string): StoredMessage {
  return { seq: 0, message: { role: "user", content: [{ type: "text", text: summary }] } };
}

/** The messages from one on; where that is a result, from its call on. */
function from(messages: readonly StoredMessage[], seq: number): readonly StoredMessage[] {
  const real = messages.filter((one) => one.seq > 0);
  const first = real.findIndex((one) => one.seq >= seq);
  if (first < 0) return [];
  return real.slice(real[first]?.message.role === "tool" ? Math.max(0, first - 1) : first);
}

/** What is left when the past is forgotten while calls run: the message that makes them, and what it is an answer to. */
function runningTurn(messages: readonly StoredMessage[]): StoredMessage[] {
  if (openCalls(messages.map(({ message }) => message)).length === 0) return [];
  const asking = messages.findLastIndex(({ message }) => message.role === "assistant");
  const asked = messages.findLastIndex(
    ({ seq, message }, index) => index < asking && seq > 0 && message.role === "user",
  );
  return messages.filter((_, index) => index === asked || index >= asking);
}

function added(
  { inputTokens, outputTokens, cost }: StoredConversation["usage"],
  entry: Extract<Entry, { readonly kind: "usage" }>,
): StoredConversation["usage"] {
  return {
    inputTokens: inputTokens + entry.usage.inputTokens,
    outputTokens: outputTokens + entry.usage.outputTokens,
    cost: cost === undefined || entry.cost === undefined ? undefined : cost + entry.cost,
  };
}

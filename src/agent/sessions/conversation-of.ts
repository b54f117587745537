import type { InstructionPart } from "../../core/agent/conversation.ts";
import { callsOf, type Message } from "../../core/agent/message.ts";
import { openCalls } from "./open-calls.ts";
import type { Entry } from "./transcript.ts";

/** A message with the number of its entry. */
export interface StoredMessage {
  readonly seq: number;
  readonly message: Message;
}

/** A session as its agent continues it. */
export interface StoredConversation {
  /** The messages that the model sees; after a compaction the first is the summary, with the number 0. */
  readonly messages: readonly StoredMessage[];
  readonly parts: readonly InstructionPart[];
  readonly turns: number;
  /** The calls of the whole session. */
  readonly calls: number;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Undefined if the cost of any answer is not known. */
    readonly cost: number | undefined;
  };
}

/** Builds the conversation that the model sees from a session's entries. Never separates a call from its stored result. */
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

/** Creates the message that replaces the messages before a compaction. */
export function summaryMessage(summary: string): StoredMessage {
  return { seq: 0, message: { role: "user", content: [{ type: "text", text: summary }] } };
}

/** Returns the messages from a number on; if that is a result, from its call on. */
function from(messages: readonly StoredMessage[], seq: number): readonly StoredMessage[] {
  const real = messages.filter((one) => one.seq > 0);
  const first = real.findIndex((one) => one.seq >= seq);
  if (first < 0) return [];
  return real.slice(real[first]?.message.role === "tool" ? Math.max(0, first - 1) : first);
}

/** Returns what stays if the history is dropped while calls run: the message with the calls and the user message before it. */
function runningTurn(messages: readonly StoredMessage[]): StoredMessage[] {
  if (openCalls(messages.map(({ message }) => message)).length === 0) return [];
  const asking = messages.findLastIndex(({ message }) => message.role === "assistant");
  const questionIndex = messages.findLastIndex(
    ({ seq, message }, index) => index < asking && seq > 0 && message.role === "user",
  );
  return messages.filter((_, index) => index === questionIndex || index >= asking);
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

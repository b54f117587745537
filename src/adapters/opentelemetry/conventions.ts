import { createContextKey, type Attributes, type Context } from "@opentelemetry/api";

// Parts of OpenTelemetry's GenAI conventions that its API lacks.

/** Bounds of durations in seconds: without them an SDK uses bounds for milliseconds, and every call is in the first bucket. */
export const DURATION_BUCKETS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
] as const;

/** Bounds of counts of tokens: powers of four. */
export const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power);

const CONVERSATION = createContextKey("toolwright conversation");

/** Returns a context in which requests to models belong to a conversation. */
export function withConversation(parent: Context, id: string): Context {
  return parent.setValue(CONVERSATION, id);
}

/** Returns the conversation of a context as an attribute, if it has one. */
export function conversationOf(current: Context): Attributes {
  const id = current.getValue(CONVERSATION);
  return typeof id === "string" ? { "gen_ai.conversation.id": id } : {};
}

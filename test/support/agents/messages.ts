import * as fc from "fast-check";
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../../src/core/agent/message.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import type { StoredMessage } from "../../../src/agent/sessions/conversation-of.ts";

const META = { startedAt: 1, durationMs: 1, place: "host", attempts: 1, source: "test" } as const;

export function said(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function answered(text: string): AssistantMessage {
  return { role: "assistant", parts: [{ type: "text", text }] };
}

export function called(
  ...calls: readonly { readonly id: string; readonly input?: unknown }[]
): AssistantMessage {
  return {
    role: "assistant",
    parts: calls.map(({ id, input = {} }) => ({ type: "call", call: { id, name: "look", input } })),
  };
}

export function resultOf(callId: string, text = "seen"): ToolResult {
  return { callId, name: "look", ok: true, content: [{ type: "text", text }], meta: META };
}

export function results(...given: readonly ToolResult[]): ToolMessage {
  return { role: "tool", results: given };
}

/** Messages under the numbers of entries with gaps between them, as sessions have. */
export function numbered(messages: readonly Message[], from = 1): readonly StoredMessage[] {
  return messages.map((message, index) => ({ seq: from + index * 3, message }));
}

/** Conversations as the loop makes them: every call has its result, but perhaps those of the last message. */
export const conversations: fc.Arbitrary<readonly Message[]> = fc
  .tuple(fc.array(exchange(), { maxLength: 25 }), fc.boolean())
  .map(([exchanges, isOpen]) => {
    const messages = exchanges.flatMap((make, index) => make(index));
    return isOpen && messages.at(-1)?.role === "tool" ? messages.slice(0, -1) : messages;
  });

function exchange(): fc.Arbitrary<(index: number) => readonly Message[]> {
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.integer({ min: 1, max: 400 }).map((words) => "word ".repeat(words)),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  return fc.oneof(
    text.map((one) => () => [said(one)]),
    text.map((one) => () => [answered(one)]),
    fc
      .array(text, { minLength: 1, maxLength: 4 })
      .map((texts) => (index: number) => [
        called(...texts.map((one, place) => ({ id: `call-${index}-${place}`, input: { one } }))),
        results(...texts.map((one, place) => resultOf(`call-${index}-${place}`, one))),
      ]),
  );
}

import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Entry } from "../../agent/sessions/transcript.ts";
import type { Message } from "../../core/agent/message.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { Todo } from "../../tools/memory/todos/todos.ts";
import { answerText } from "../repl/state/summary.ts";
import { textBlock, textContent, toBlock, toCallContent } from "./content.ts";
import { kindOf, titleOf } from "./tool-calls.ts";

export interface ReplayOptions {
  readonly newId: (callId: string) => string;
  readonly specOf: (name: string) => ToolSpec | undefined;
}

/** Returns the updates that show a stored conversation, as its client saw it. */
export function toUpdates(entries: readonly Entry[], options: ReplayOptions): readonly SessionUpdate[] {
  const ids = new Map<string, string>();
  return entries.flatMap((entry): readonly SessionUpdate[] => {
    if (entry.kind === "message") return messageUpdates(entry.message, ids, options);
    if (entry.kind !== "command") return [];
    return [
      { sessionUpdate: "user_message_chunk", content: textBlock(entry.text) },
      { sessionUpdate: "agent_message_chunk", content: textBlock(entry.output) },
    ];
  });
}

function messageUpdates(
  message: Message,
  ids: Map<string, string>,
  { newId, specOf }: ReplayOptions,
): readonly SessionUpdate[] {
  if (message.role === "user") {
    // Messages of hooks and other agents were not shown.
    if (message.from !== undefined) return [];
    return message.content.map((piece) => ({ sessionUpdate: "user_message_chunk", content: toBlock(piece) }));
  }
  if (message.role === "tool") {
    return message.results.map((result) => ({
      sessionUpdate: "tool_call_update",
      toolCallId: ids.get(result.callId) ?? result.callId,
      status: result.ok ? "completed" : "failed",
      content: result.ok ? [...toCallContent(result.content)] : [textContent(answerText(result))],
    }));
  }
  return message.parts.map((part): SessionUpdate => {
    if (part.type === "text") return { sessionUpdate: "agent_message_chunk", content: textBlock(part.text) };
    if (part.type === "reasoning")
      return { sessionUpdate: "agent_thought_chunk", content: textBlock(part.text) };
    const { id, name, input } = part.call;
    const toolCallId = newId(id);
    ids.set(id, toolCallId);
    const title = titleOf(name, input as never);
    const kind = kindOf(name, specOf(name));
    return { sessionUpdate: "tool_call", toolCallId, title, kind, status: "pending", rawInput: input };
  });
}

/** Returns the todo list as a plan; the protocol has no cancelled entries. */
export function planOf(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.flatMap(({ content, status }) =>
    status === "cancelled" ? [] : [{ content, status, priority: "medium" } as const],
  );
  return { sessionUpdate: "plan", entries };
}

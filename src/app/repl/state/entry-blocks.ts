import { ranMs } from "../../terminal/print/ran-ms.ts";
import type { Entry } from "../../../agent/sessions/transcript.ts";
import type { ToolCall } from "../../../core/call.ts";
import type { Json } from "../../../core/json.ts";
import { callsOf, type Message } from "../../../core/agent/message.ts";
import type { Block } from "./repl-state.ts";
import { messageText, summaryOf } from "./summary.ts";
import { textOf } from "../../../util/text/text-of.ts";
import { contentText } from "../../../util/text/content-text.ts";

/** Returns the blocks of a stored session, as they were shown then. */
export function entryBlocks(entries: readonly Entry[]): readonly Block[] {
  const calls = new Map<string, ToolCall>();
  return entries.flatMap((entry): readonly Block[] => {
    if (entry.kind === "message") return messageBlocks(entry.message, calls);
    if (entry.kind === "command") return [{ kind: "command", text: entry.text, output: entry.output }];
    if (entry.kind !== "compaction") return [];
    return [{ kind: "notice", level: "info", text: "the earlier conversation was compacted" }];
  });
}

function messageBlocks(message: Message, calls: Map<string, ToolCall>): readonly Block[] {
  if (message.role === "user") {
    const { content, from } = message;
    if (from?.kind === "host") return [];
    const text = from === undefined ? messageText(content) : contentText(content);
    return [{ kind: "prompt", text, ...(from !== undefined && { from: `${from.kind} ${from.name}` }) }];
  }
  if (message.role === "assistant") {
    for (const call of callsOf(message)) calls.set(call.id, call);
    const text = textOf(message.parts, "");
    return text.trim() === "" ? [] : [{ kind: "markdown", text }];
  }
  return message.results.map((result): Block => {
    const input = calls.get(result.callId)?.input;
    const summary = input === undefined ? "" : summaryOf(input as Json);
    return {
      kind: "call",
      summary,
      result,
      durationMs: ranMs(result.meta),
      isOfChild: false,
      isExpanded: false,
    };
  });
}

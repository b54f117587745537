import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";
import { contentText } from "../../util/text/content-text.ts";

/** The maximum number of characters of a message, and of a tool's input or output. */
export interface Cuts {
  readonly said: number;
  readonly tool: number;
}

/** Renders one message with its entry number. Long texts are cut in the middle. */
export function renderMessage(seq: number, message: Message, cuts: Cuts): string {
  if (message.role === "user") {
    const speaker = message.from === undefined ? "user" : `${message.from.kind} ${message.from.name}`;
    return `[${seq}] ${speaker}: ${cutMiddle(contentText(message.content), cuts.said)}`;
  }
  if (message.role === "assistant") {
    const parts = message.parts.flatMap((part) => partText(part, cuts));
    return parts.length === 0 ? "" : `[${seq}] assistant: ${parts.join("\n")}`;
  }
  return message.results.map((result) => `[${seq}] ${resultText(result, cuts.tool)}`).join("\n");
}

/** Returns the beginning and the end of a text with the number of characters left out. */
export function cutMiddle(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const head = text.slice(0, Math.ceil(maxCharacters * 0.6)).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - Math.floor(maxCharacters * 0.4)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head} [… ${text.length - head.length - tail.length} characters …] ${tail}`;
}

/** Leaves out reasoning. */
function partText(part: AssistantPart, cuts: Cuts): readonly string[] {
  if (part.type === "reasoning") return [];
  if (part.type === "text") return part.text.trim() === "" ? [] : [cutMiddle(part.text, cuts.said)];
  const { name, input } = part.call;
  return [`calls ${name} ${cutMiddle(JSON.stringify(input) ?? "", cuts.tool)}`];
}

function resultText(result: ToolResult, maxCharacters: number): string {
  const text = cutMiddle(contentText(result.content), maxCharacters);
  return `${result.name} ${result.ok ? "gave" : `failed (${result.error.code})`}: ${text}`;
}

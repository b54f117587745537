import type { Content } from "../../core/content.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";
import { estimateText } from "./estimate-text.ts";

/** What the large providers take for a picture of the greatest size. */
const IMAGE_TOKENS = 1600;
/** Other files are read by some providers and billed by their contents, which nobody here knows. */
const CHARACTERS_OF_A_FILE_TOKEN = 100;
/** What a provider writes around each message, call, result and tool. */
const FRAME_TOKENS = 8;

/** What a request takes of a model's window, rather too much than too little. No tokenizer: it holds for every model. */
export function estimateTokens(request: Pick<ModelRequest, "instructions" | "messages" | "tools">): number {
  const { instructions, messages, tools } = request;
  return (
    FRAME_TOKENS + estimateText(instructions) + sum(messages, estimateMessage) + sum(tools, estimateTool)
  );
}

/** What one message takes of it. */
export function estimateMessage(message: Message): number {
  return remembered(message, () => FRAME_TOKENS + contentsOf(message));
}

function contentsOf(message: Message): number {
  if (message.role === "user") return sum(message.content, estimateContent);
  if (message.role === "assistant") return sum(message.parts, estimatePart);
  // Programs read the data of a result, models its content.
  return sum(message.results, ({ content }) => FRAME_TOKENS + sum(content, estimateContent));
}

function estimateTool(tool: ModelTool): number {
  return remembered(tool, () => FRAME_TOKENS + estimateText(JSON.stringify(tool)));
}

function estimateContent(content: Content): number {
  if (content.type === "text") return estimateText(content.text);
  if (content.type === "image") return IMAGE_TOKENS;
  return IMAGE_TOKENS + Math.ceil(content.data.length / CHARACTERS_OF_A_FILE_TOKEN);
}

function estimatePart(part: AssistantPart): number {
  const opaque = part.opaque === undefined ? 0 : estimateText(JSON.stringify(part.opaque));
  if (part.type !== "call") return opaque + estimateText(part.text);
  const { name, input } = part.call;
  return opaque + FRAME_TOKENS + estimateText(name) + estimateText(JSON.stringify(input) ?? "");
}

/** Messages never change and are asked about before every request. */
const memory = new WeakMap<object, number>();

function remembered(key: object, count: () => number): number {
  const known = memory.get(key) ?? count();
  memory.set(key, known);
  return known;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

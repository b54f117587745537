import type { Content } from "../../core/content.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";
import { estimateText } from "../../engine/registry/estimate-text.ts";

/** What large providers charge for an image of maximum size. */
const IMAGE_TOKENS = 1600;
/** Some providers charge other files by their contents, which are not known here. */
const CHARACTERS_OF_A_FILE_TOKEN = 100;
/** What a provider adds around each message, call, result and tool. */
const FRAME_TOKENS = 8;

/** Estimates the size of a request, rather too high. Uses no tokenizer, so it works for every model. */
export function estimateTokens(request: Pick<ModelRequest, "instructions" | "messages" | "tools">): number {
  const { instructions, messages, tools } = request;
  return (
    FRAME_TOKENS + estimateText(instructions) + sum(messages, estimateMessage) + sum(tools, estimateTool)
  );
}

/** Estimates the size of one tool of a request. */
export function estimateTool(tool: ModelTool): number {
  const sent = { ...tool, aliases: undefined, since: undefined };
  return cached(tool, () => FRAME_TOKENS + estimateText(JSON.stringify(sent)));
}

/** Estimates the size of one message. */
export function estimateMessage(message: Message): number {
  return cached(message, () => FRAME_TOKENS + contentsOf(message));
}

function contentsOf(message: Message): number {
  if (message.role === "user") return sum(message.content, estimateContent);
  if (message.role === "assistant") return sum(message.parts, estimatePart);
  // Models see only the content of a result, not its data.
  return sum(message.results, ({ content }) => FRAME_TOKENS + sum(content, estimateContent));
}

/** Estimates the size of a text, an image or a file in a message. */
export function estimateContent(content: Content): number {
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

/** Messages never change and are estimated before every request. */
const cache = new WeakMap<object, number>();

function cached(key: object, count: () => number): number {
  const known = cache.get(key) ?? count();
  cache.set(key, known);
  return known;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

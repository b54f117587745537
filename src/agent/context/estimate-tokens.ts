import type { Content } from "../../core/content.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ModelRequest, ModelTool } from "../../core/agent/model.ts";

/** What large providers charge for an image of maximum size. */
const IMAGE_TOKENS = 1600;
/** Some providers charge other files by their contents, which are not known here. */
const CHARACTERS_OF_A_FILE_TOKEN = 100;
/** What a provider adds around each message, call, result and tool. */
const FRAME_TOKENS = 8;

/** Estimates the size of a request, rather too high. Uses no tokenizer, so it works for every model. */
export function estimateTokens(request: Pick<ModelRequest, "instructions" | "messages" | "tools">): number {
  const { instructions, messages, tools } = request;
  const estimateTool = (tool: ModelTool): number =>
    cached(tool, () => FRAME_TOKENS + estimateText(JSON.stringify({ ...tool, aliases: undefined })));
  return (
    FRAME_TOKENS + estimateText(instructions) + sum(messages, estimateMessage) + sum(tools, estimateTool)
  );
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

/** Estimates the tokens of a text, rather too high: by the runs of letters, digits and signs that tokenizers split text into. */
export function estimateText(text: string): number {
  let tokens = 0;
  let kind: Kind = "blank";
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const next = kindOf(unit);
    const goesOn = next === kind || (kind === "upper" && next === "lower" && length === 1);
    if (!goesOn) {
      tokens += costOf(kind, length);
      length = 0;
    }
    kind = next;
    length += 1;
  }
  return Math.ceil(tokens + costOf(kind, length));
}

type Kind = "blank" | "lower" | "upper" | "digit" | "sign" | "letter" | "wide";

/** Characters of a run per token, in the usual worst case; each run is at least one token. */
const RUN_OF_A_TOKEN: Readonly<Record<Exclude<Kind, "blank" | "letter" | "wide">, number>> = {
  lower: 4,
  upper: 2,
  digit: 2,
  sign: 2,
};

function costOf(kind: Kind, length: number): number {
  // A single blank is part of the next word.
  if (kind === "blank") return length < 2 ? 0 : 1 + length / 16;
  if (kind === "letter") return length * 0.6;
  if (kind === "wide") return length * 1.25;
  return Math.ceil(length / RUN_OF_A_TOKEN[kind]);
}

function kindOf(unit: number): Kind {
  if (unit >= 97 && unit <= 122) return "lower";
  if (unit === 32 || unit === 9) return "blank";
  if (unit >= 65 && unit <= 90) return "upper";
  if (unit >= 48 && unit <= 57) return "digit";
  if (unit < 128) return "sign";
  // Latin, Greek, Cyrillic, Hebrew and Arabic take less than the scripts after them.
  return unit < 0x800 ? "letter" : "wide";
}

import { fault, settle, type Context } from "./context.ts";
import { boundaryOf, frameOfToken, type Frame } from "./frame.ts";
import { readFrame, skipBroken } from "./read-frame.ts";
import { words, type Step } from "../scan/scan.ts";
import type { TextState } from "./text-state.ts";

const MAX_HEADER = 200;
const RECIPIENT = String.raw`(?:\s?to=([\p{L}\p{N}_.:/-]{1,96}))?`;
/** Some models write a channel and a recipient twice: the last ones count. */
const CHANNEL = String.raw`(?:<\|channel\|>\s?(\w{1,24}))?`;
const HEADER = new RegExp(
  String.raw`^(?:<\|start\|>)?(?:assistant)?${RECIPIENT}\s?(?:<\|channel\|>\w{1,24}\s?to=assistant\s?)?${CHANNEL}${RECIPIENT}\s?(?:<\|constrain\|>\s?)?(?:\w{1,24})?\s?<\|message\|>`,
  "u",
);
/** The beginning of a header that is addressed to a tool. */
const ADDRESSED =
  /^(?=<\|)(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>\s?\w{1,24})?\s?to=(?!(?:self|user|all|assistant)\b)[\p{L}\p{N}_.:/-]+/u;
const MESSAGE: Frame = {
  closers: ["end", "eom", "eot", "return", "call"],
  end: () => String.raw`<\|(?:end|eom|eot|return|call)\|>`,
  start: () => String.raw`<\|(?:start|channel)\|>`,
};
/** The beginning of a header. */
const START =
  /^(?:<\|start\|>)?[\p{L}\p{N}_.:=/ -]{0,120}(?:<[|\w]{0,14}>?[\p{L}\p{N}_.:=/ -]{0,120}){0,4}$/u;
const NO_TOOLS = words("self user all assistant");
const MODEL_HEADER = /^<\|message_model\|>[^<]{0,96}<\|content_(\w{1,32})\|>/;
const MODEL_START = /^<\|message_model\|>[^<]{0,96}(?:<[|\w]{0,40})?$/;

/** Reads the header of a message, and its call if it is addressed to a tool. Returns false, with nothing taken, if there is no header. */
export function* readHeader(context: Context, state: TextState): Step<boolean> {
  const { source, emitter, patterns } = context;
  const text = yield* peekHeader(context, HEADER, START);
  const headerMatch = HEADER.exec(text);
  if (headerMatch === null) return yield* skipHeader(context, state, ADDRESSED.exec(text)?.[0].length);
  source.mark();
  source.at += headerMatch[0].length;
  const recipient = headerMatch[1] ?? headerMatch[3];
  const isTool = recipient !== undefined && !NO_TOOLS.has(recipient);
  const isReasoning = !isTool && (headerMatch[2] === "analysis" || recipient === "self");
  state.reasoning = isReasoning ? { end: patterns.of(boundaryOf(MESSAGE)), mayBeLeftOpen: false } : undefined;
  // Texts in different channels are separated.
  if (state.hasHeaders && headerMatch[2] !== undefined) emitter.defer("\n");
  state.hasHeaders = true;
  return settle(context, isTool ? yield* readFrame(context, { ...MESSAGE, name: recipient }) : "read");
}

/** Skips a call whose header is broken after this length. Returns false, with nothing taken, if there is no such header. */
function* skipHeader(context: Context, state: TextState, length: number | undefined): Step<boolean> {
  if (length === undefined) return false;
  state.hasHeaders = true;
  context.source.mark();
  context.source.at += length;
  return settle(context, yield* skipBroken(context, MESSAGE, fault("its header is broken")));
}

/** The same for messages whose header names the kind of content. */
export function* readModelHeader(context: Context, state: TextState): Step<boolean> {
  const { source } = context;
  const headerMatch = MODEL_HEADER.exec(yield* peekHeader(context, MODEL_HEADER, MODEL_START));
  if (headerMatch === null) return false;
  state.hasHeaders = true;
  source.mark();
  source.at += headerMatch[0].length;
  const frame = frameOfToken(`content_${headerMatch[1] ?? ""}`);
  return settle(context, frame === undefined ? "read" : yield* readFrame(context, frame));
}

function peekHeader({ source }: Context, whole: RegExp, start: RegExp): Step<string> {
  return source.peekUntil(MAX_HEADER, (text) => whole.test(text) || !start.test(text));
}

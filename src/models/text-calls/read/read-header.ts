import { emitProblem, settle, type Context } from "./context.ts";
import { frameOfToken } from "./frame.ts";
import { readFrame } from "./read-frame.ts";
import { readJsonInput } from "./read-named.ts";
import { words, type Step } from "../scan/scan.ts";
import type { TextState } from "./text-state.ts";

const MAX_HEADER = 200;
const RECIPIENT = String.raw`(?:\s?to=([\w.:/-]{1,96}))?`;
/** Some models write a channel and a recipient twice: the last ones count. */
const CHANNEL = String.raw`(?:<\|channel\|>\s?(\w{1,24}))?`;
const HEADER = new RegExp(
  String.raw`^(?:<\|start\|>)?(?:assistant)?${RECIPIENT}\s?(?:<\|channel\|>\w{1,24}\s?to=assistant\s?)?${CHANNEL}${RECIPIENT}\s?(?:<\|constrain\|>\s?)?(?:\w{1,24})?\s?<\|message\|>`,
);
/** What ends a message, or begins the next one. */
const MESSAGE_END = String.raw`<\|(?:end|eom|eot|return|call|start|channel)\|>`;
/** The beginning of a header. */
const START = /^(?:<\|start\|>)?[\w.:=/ -]{0,120}(?:<[|\w]{0,14}>?[\w.:=/ -]{0,120}){0,4}$/;
const NO_TOOLS = words("self user all assistant");
const MODEL_HEADER = /^<\|message_model\|>[^<]{0,96}<\|content_(\w{1,32})\|>/;
const MODEL_START = /^<\|message_model\|>[^<]{0,96}(?:<[|\w]{0,40})?$/;

/** Reads the header of a message, and its call if it is addressed to a tool. Returns false, with nothing taken, if there is no header. */
export function* readHeader(context: Context, state: TextState): Step<boolean> {
  const { source, emitter, patterns } = context;
  const found = yield* peekPattern(context, HEADER, START);
  if (found === undefined) return false;
  source.mark();
  source.at += found[0].length;
  const recipient = found[1] ?? found[3];
  const isTool = recipient !== undefined && !NO_TOOLS.has(recipient);
  const isReasoning = !isTool && (found[2] === "analysis" || recipient === "self");
  state.reasoning = isReasoning ? { end: patterns.of(MESSAGE_END), mayBeLeftOpen: false } : undefined;
  state.isForTool = isTool;
  // Texts in different channels are separated.
  if (state.hasHeaders && found[2] !== undefined) emitter.defer("\n");
  state.hasHeaders = true;
  const next = isTool ? yield* source.peekPastSpace() : "";
  if (!isTool || next !== "{") return settle(context, "read");
  const outcome = yield* readJsonInput(context, undefined, { name: recipient });
  if (typeof outcome === "object") emitProblem(context, outcome.fault);
  source.mark();
  return true;
}

/** The same for messages whose header names the kind of content. */
export function* readModelHeader(context: Context, state: TextState): Step<boolean> {
  const { source, patterns } = context;
  const found = yield* peekPattern(context, MODEL_HEADER, MODEL_START);
  if (found === undefined) return false;
  state.hasHeaders = true;
  source.mark();
  source.at += found[0].length;
  const frame = frameOfToken(`content_${found[1] ?? ""}`, patterns);
  return settle(context, frame === undefined ? "read" : yield* readFrame(context, frame));
}

function* peekPattern({ source }: Context, whole: RegExp, start: RegExp): Step<RegExpExecArray | undefined> {
  const isSure = (text: string): boolean => whole.test(text) || !start.test(text);
  return whole.exec(yield* source.peekUntil(MAX_HEADER, isSure)) ?? undefined;
}

import { drop, fault, settle, type Context } from "./context.ts";
import { CALL_TAGS, FRAME_TAGS, FRAME_TOKENS, calledBy, frameOfTag, frameOfToken } from "./frame.ts";
import { REASONING_TAGS, isRelevantTag, isToolTag } from "./next-opening.ts";
import { readCode } from "./read-bare.ts";
import { MAX_SPACE, readFrame, skipBroken } from "./read-frame.ts";
import { readHeader, readModelHeader } from "./read-header.ts";
import { emitReasoningMark, skipInReasoning } from "./reasoning.ts";
import { words, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, peekTag, peekToken, tokenPattern, type Tag } from "../scan/tag.ts";
import type { TextState } from "./text-state.ts";

/** Tokens around messages, which are text only if nothing shows that there are messages. */
const MESSAGE_TOKENS = words(
  "start message channel constrain call return end eom eot im_end eot_id eom_id end_of_sentence endoftext " +
    "end_message content_text message_model end_of_text end_turn end_of_turn content_model_end_sampling",
);
/** Tokens around the answer of models that mark it. */
const ANSWER_TOKENS = words("start_response end_response start_text end_text");
/** Words that are too common to open a call as plain tags. */
const TOKENS_ONLY = words("tools call");
const ENVELOPE = words("response message");

/** Reads what begins with a tag or special token. Returns false, with nothing taken, if it is text. */
export function* readMarkup(context: Context, state: TextState, char: string): Step<boolean> {
  if (char === "<") {
    const next = (yield* context.source.peek(2)).charAt(1);
    if (next === "|" || next === "｜") {
      const isRead = yield* readToken(context, state);
      if (isRead !== undefined) return isRead;
    } else if (!/[\p{L}/_ ]/u.test(next)) return false;
    else if (!(yield* mayBeTag(context))) return false;
  }
  return yield* readTag(context, state);
}

/** Returns undefined if there is no relevant token, but perhaps a tag. */
function* readToken(context: Context, state: TextState): Step<boolean | undefined> {
  const { source, openings } = context;
  const token = yield* peekToken(source);
  if (token === undefined || token.name === "open" || token.name === "close") return undefined;
  if (openings.bare.has("header") && (yield* readAnyHeader(context, state, token.name))) return true;
  if (openings.tokens.has(token.name)) {
    return state.reasoning === undefined
      ? yield* readFramed(context, token.name, token.length)
      : yield* skipInReasoning(context, state);
  }
  if (token.name === "message_sep" && (yield* readSeparated(context))) return true;
  if (isMarker(context, state, token.name)) {
    if (state.reasoning?.mayBeLeftOpen === false) state.reasoning = undefined;
    return drop(context, token.length);
  }
  if (token.name !== "start_thinking" && token.name !== "end_thinking") return undefined;
  const end = token.name === "start_thinking" ? tokenPattern("end_thinking") : undefined;
  return emitReasoningMark(context, state, token.length, end);
}

function* readAnyHeader(context: Context, state: TextState, token: string): Step<boolean> {
  if (token === "start" || token === "channel") return yield* readHeader(context, state);
  return token === "message_model" && (yield* readModelHeader(context, state));
}

/** Returns whether a token is around messages, answers or calls, and not text. */
function isMarker({ openings, emitter }: Context, { hasHeaders }: TextState, name: string): boolean {
  if (MESSAGE_TOKENS.has(name)) return hasHeaders || emitter.found > 0;
  if (ANSWER_TOKENS.has(name)) return openings.tokens.has("start_action");
  return emitter.found > 0 && Object.values(FRAME_TOKENS).some((closers) => closers.includes(name));
}

const SEPARATED = /^<\|message_sep\|>\s{0,8}function call<\|role_sep\|>/;
const SEPARATED_START = /^<\|message_sep\|>(?:\s{0,8}[a-z ]{0,13}(?:<[|\w]{0,10})?)?$/;

/** Reads GigaChat's older form: a message whose role is `function call`. */
function* readSeparated(context: Context): Step<boolean> {
  const { source, openings } = context;
  if (!openings.tokens.has("function_call")) return false;
  const isSure = (text: string): boolean => SEPARATED.test(text) || !SEPARATED_START.test(text);
  const [whole] = SEPARATED.exec(yield* source.peekUntil(64, isSure)) ?? [];
  return whole !== undefined && (yield* readFramed(context, "function_call", whole.length));
}

function* readFramed(context: Context, name: string, length: number): Step<boolean> {
  const { source } = context;
  const frame = frameOfToken(name);
  if (frame === undefined) return false;
  source.mark();
  source.at += length;
  const isCode = name === "python_tag" && (yield* readCode(context));
  return settle(context, isCode ? "read" : yield* readFrame(context, frame));
}

/** Returns, as soon as it is certain, whether a tag at the cursor is relevant; most are not. */
function* mayBeTag(context: Context): Step<boolean> {
  const { source } = context;
  for (;;) {
    const isRelevant = isRelevantTag(context, source.window, source.at);
    if (isRelevant !== undefined) return isRelevant;
    if (!(yield* source.more())) return false;
  }
}

function* readTag(context: Context, state: TextState): Step<boolean> {
  const tag = yield* peekTag(context.source);
  if (tag === undefined) return state.reasoning === undefined && (yield* skipBrokenTag(context));
  if (REASONING_TAGS.has(tag.name)) {
    const isReasoning = tag.isClosing || state.isAtLineStart;
    const end = tag.isClosing ? undefined : closingSource(tag.form, tag.name);
    return isReasoning && emitReasoningMark(context, state, tag.length, end);
  }
  if (isEnvelope(tag) || isStray(context, tag)) return drop(context, tag.length);
  if (tag.isClosing || isAddressed(tag)) return false;
  if (state.reasoning === undefined) return yield* readOpening(context, state, tag);
  return isOpening(context, tag) && (yield* skipInReasoning(context, state));
}

const BROKEN_TAG =
  /^<(?:[｜|]DSML[｜|]|[\w.-]{1,24}:)?(function|invoke|tool_call)\s{0,4}(?:name)?\s{0,4}=[^<>]{1,120}>?\s{0,16}<[^<>]{0,24}(?:param|\1)/i;
const BROKEN_START = /^<[^<>]{0,160}>?\s{0,16}(?:<[^<>]{0,24})?$/;

/** Skips a call whose tag is not closed before its first parameter. Returns false, with nothing taken, if there is none. */
function* skipBrokenTag(context: Context): Step<boolean> {
  const { source, openings } = context;
  const isSure = (text: string): boolean => BROKEN_TAG.test(text) || !BROKEN_START.test(text);
  const name = BROKEN_TAG.exec(yield* source.peekUntil(224, isSure))?.[1]?.toLowerCase() ?? "";
  if (!openings.tags.has(name)) return false;
  source.mark();
  source.at += 1;
  const frame = {
    closers: [],
    end: () => closingSource("xml", name),
    start: () => openingSource("xml", name),
  };
  return settle(context, yield* skipBroken(context, frame, fault("its tag is not closed")));
}

/** Muse Glimmer calls only in messages to a tool; elsewhere it only shows how a call is written. */
function isAddressed({ written }: Tag): boolean {
  return /^atem:/i.test(written);
}

function isEnvelope({ form, name, isClosing }: Tag): boolean {
  return form === "tokens" && (ENVELOPE.has(name) || (isClosing && FRAME_TAGS.has(name)));
}

/** Returns whether a tag closes a call that was not opened, or was closed before. */
function isStray({ openings, emitter }: Context, { name, isClosing }: Tag): boolean {
  if (emitter.found === 0 || !(isClosing || name.startsWith("end_"))) return false;
  const opening = name.replace(/^end_/, "start_");
  return openings.tags.has(opening) && (FRAME_TAGS.has(opening) || CALL_TAGS.has(opening));
}

/** Returns whether a tag of this name may begin a call. */
function isOpening({ openings }: Context, { name, form }: Tag): boolean {
  return openings.tags.has(name) && (form === "tokens" || !TOKENS_ONLY.has(name));
}

function* readOpening(context: Context, state: TextState, tag: Tag): Step<boolean> {
  const { source, tools } = context;
  const mayOpen = isOpening(context, tag);
  const name = mayOpen ? calledBy(tag) : undefined;
  const isFrame = name !== undefined || (mayOpen && (FRAME_TAGS.has(tag.name) || tag.name === "invoke"));
  const tool = !isFrame && state.isAtLineStart && state.fence !== "text" ? toolOf(context, tag) : undefined;
  if (!isFrame && tool === undefined) return false;
  source.mark();
  source.at += tag.length;
  if (!isFrame && (yield* source.peekPastSpace(MAX_SPACE)) !== "<") return settle(context, "text");
  const frame = frameOfTag(tag, name ?? tool);
  // The next call may be of any tool.
  const start =
    tool === undefined || tools.isEmpty ? frame.start : () => openingSource("xml", tools.names, "[\\s>]");
  return settle(context, yield* readFrame(context, { ...frame, start }));
}

/** Returns the tool that a tag is named after. */
function toolOf({ openings, tools }: Context, tag: Tag): string | undefined {
  if (!openings.bare.has("tool-tag") || tag.form !== "xml" || Object.keys(tag.attributes).length > 0)
    return undefined;
  const isTool = tools.isEmpty ? isToolTag(tag.written, openings.toolTags) : tools.has(tag.written);
  return isTool && !FRAME_TAGS.has(tag.name) ? tag.written : undefined;
}

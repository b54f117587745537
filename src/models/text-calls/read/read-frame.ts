import {
  BROKEN,
  CUT_OFF,
  emitCalls,
  emitProblem,
  fault,
  NO_NAME,
  withRepair,
  type Context,
  type Fault,
} from "./context.ts";
import { CALL_TAGS, FRAME_TAGS, calledBy, closes, frameOfTag, frameOfToken, type Frame } from "./frame.ts";
import { NAME_TAGS, readCallTag } from "./read-call-tag.ts";
import {
  readIdentified,
  readJsonInput,
  readNamed,
  readPython,
  skipFence,
  type ItemOutcome,
} from "./read-named.ts";
import type { Source, Step } from "../scan/scan.ts";
import { peekTag, peekToken, type Tag, type Token } from "../scan/tag.ts";
import { takeJson, toBoundary } from "./take-value.ts";
import { toCalls } from "./to-calls.ts";
import { callPlace } from "./place.ts";

/** How reading ended: with calls or problems emitted, or with the result that this is text. */
type Outcome = "read" | "text";

type Found = ItemOutcome | "closed";

/** The white space allowed between a marker and its call. */
export const MAX_SPACE = 256;
const MAX_NESTING = 8;

/**
 * Reads from an opening marker, which has just been taken, through the closing one. After content that cannot be read, which is a
 * problem, reading goes on at the next marker, whatever the dialect is.
 */
export function* readFrame(context: Context, frame: Frame, nesting = 0): Step<Outcome> {
  const { source, emitter } = context;
  for (let items = 0; ; items += 1) {
    const next = yield* source.peekPastSpace(items === 0 ? MAX_SPACE : undefined);
    const outcome = yield* readItem(context, frame, { next, items, nesting });
    if (typeof outcome === "object")
      return yield* skipBroken(context, frame, outcome, { isMarkup: !"{[".includes(next) });
    if (outcome === "read") continue;
    if (outcome !== "done" && items === 0) {
      if (outcome === "closed" && frame.tag === undefined) return emitProblem(context, fault("it is empty"));
      const isProblem = outcome === "unknown" && (yield* isCall(context, frame));
      return isProblem ? yield* skipBroken(context, frame, BROKEN, { isMarkup: true }) : "text";
    }
    if (outcome === "unknown") emitter.defer(source.taken());
    source.mark();
    return "read";
  }
}

/** Skips what cannot be read, through what closes the frame or up to the next marker that is not in the middle of a line, where it may be a part of a value. */
export function* skipBroken(
  context: Context,
  frame: Frame,
  found: Fault,
  { isMarkup = false }: { readonly isMarkup?: boolean } = {},
): Step<Outcome> {
  let end = yield* toBoundary(context, frame, isMarkup);
  while (end !== undefined && !isEndOrCall(context, frame, end)) {
    context.source.at += end[0].length;
    end = yield* toBoundary(context, frame, isMarkup);
  }
  if (end?.groups?.["end"] !== undefined) context.source.at += end[0].length;
  return emitProblem(context, found.mayBeCut === true && end === undefined ? CUT_OFF : found);
}

/** The end of a line, or of a tag or token that closes. */
const BEFORE_CALL = /(?:\n|<\s?\/[^<>]*>|<\|close\|>[^<>]*<\|sep\|>|[|｜]>|\])\s*(?:\]<\]minimax\[>\[)?\s*$/u;

/** Calls that nothing closes may follow each other in a line. */
function isEndOrCall({ source }: Context, { end }: Frame, { groups }: RegExpExecArray): boolean {
  return groups?.["end"] !== undefined || end === undefined || BEFORE_CALL.test(source.tail(MAX_BEFORE));
}

const MAX_BEFORE = 96;

const MAX_LOOK = 160;
/** A parameter that follows soon. */
const PARAMETER =
  /^[^<]{0,96}<(?:\|open\|>|\/?[｜|]?\w{0,12}[:｜|])?\s?\/?(?:arg_|param|argument|tool_sep|\]minimax)/i;
const BEFORE_PARAMETER = /^[^<]{0,96}(?:<[^<>]{0,32})?$/;

/** Returns whether unreadable content is a call: always after a special token, and after a tag if it begins like one. A tag alone may be prose. */
function* isCall({ source, tools }: Context, { tag, name }: Frame): Step<boolean> {
  if (tag === undefined || tag.form !== "xml") return true;
  const text = yield* source.peekUntil(MAX_LOOK, (some) => !BEFORE_PARAMETER.test(some));
  const [word = ""] = /^[\p{L}\p{N}_.-]+/u.exec(text) ?? [];
  return tools.has(tools.nameOf(name ?? word)) || PARAMETER.test(text);
}

interface Place {
  readonly next: string;
  readonly items: number;
  readonly nesting: number;
}

function* readItem(context: Context, frame: Frame, place: Place): Step<Found> {
  const { source } = context;
  const { next, items } = place;
  if (next === "") return items === 0 && source.isEnded ? CUT_OFF : "unknown";
  const named = items > 0 ? undefined : yield* readInput(context, frame, next);
  if (named !== undefined) return named;
  if (next === "{") return yield* readJson(context, frame);
  if (next === "[") return yield* readList(context, frame);
  const outcome = next === "<" || next === "]" ? yield* readMarkup(context, frame, place) : "unknown";
  if (outcome !== "unknown" || next === "<") return outcome;
  if (items > 0 && ",;}])".includes(next)) {
    source.at += 1;
    return "read";
  }
  if (/[\p{L}\p{N}_"']/u.test(next)) return yield* readNamed(context, frame);
  return (yield* skipFence(context)) ? "read" : "unknown";
}

/** Reads the input of a call whose name is in its marker, or between tokens; undefined if it is in another frame inside. */
function* readInput(context: Context, frame: Frame, next: string): Step<Found | undefined> {
  const { name, tag, isIdentified = false } = frame;
  if (isIdentified) return yield* readIdentified(context, frame);
  if (name === undefined) return undefined;
  if (tag !== undefined) return yield* readCallTag(context, frame, tag, name);
  return next === "{" || next === "`" ? yield* readJsonInput(context, frame, { name }) : undefined;
}

function* readList(context: Context, frame: Frame): Step<Found> {
  const text = yield* peekPattern(context, /^\[\s{0,32}[\p{L}_][\p{L}\p{N}_.]{0,96}\s{0,8}/u);
  // The marker of the next frame.
  if (text.startsWith("[TOOL_CALLS]")) return "unknown";
  return text.endsWith("(") ? yield* readPython(context, frame) : yield* readJson(context, frame);
}

/** Returns the match at the cursor and the character after it, as soon as more text cannot make the match longer. */
function* peekPattern({ source }: Context, pattern: RegExp): Step<string> {
  const lengthIn = (text: string): number => pattern.exec(text)?.[0].length ?? 0;
  const isSure = (text: string): boolean => {
    const length = lengthIn(text);
    return length < text.length && (length > 0 || /^\[\s*\S/.test(text));
  };
  const text = yield* source.peekUntil(160, isSure);
  return text.slice(0, lengthIn(text) + 1);
}

const QUOTED_LIKE_PYTHON = /^[{[\s]{1,32}'/;

function* readJson(context: Context, frame: Frame): Step<Found> {
  const isPython = QUOTED_LIKE_PYTHON.test(yield* context.source.peek(8));
  const parsed = yield* takeJson(
    context,
    frame,
    () => callPlace(context.tools, frame.isByName),
    isPython ? "python" : "json",
  );
  if ("fault" in parsed) return parsed;
  const calls = toCalls(parsed.value, { isByName: frame.isByName === true });
  if (calls === undefined) return NO_NAME;
  emitCalls(
    context,
    calls.map((call) => withRepair(call, parsed)),
  );
  return "read";
}

function* readMarkup(context: Context, frame: Frame, place: Place): Step<Found> {
  const token = yield* peekToken(context.source);
  const isTag = token?.name === "open" || token?.name === "close";
  if (token !== undefined && !isTag) return yield* readToken(context, frame, token, place);
  return yield* readTag(context, frame, place);
}

function* readToken(context: Context, frame: Frame, token: Token, place: Place): Step<Found> {
  const { source } = context;
  if (frame.closers.includes(token.name)) {
    source.at += token.length;
    return "closed";
  }
  if (token.name === "plugin" || token.name === "interpreter") {
    source.at += token.length;
    const next = yield* source.peekPastSpace();
    return yield* readItem(context, frame, { ...place, next });
  }
  if (token.name === "tool_sep" && place.items > 0) {
    source.at += token.length;
    return "read";
  }
  const inner = frameOfToken(token.name, frame);
  if (inner === undefined || place.nesting >= MAX_NESTING) return "unknown";
  source.at += token.length;
  return yield* readInner(context, inner, place);
}

function* readTag(context: Context, frame: Frame, place: Place): Step<Found> {
  const { source } = context;
  const tag = yield* peekTag(source);
  if (tag === undefined) return brokenTag(source);
  // Weak models close with another tag than they open with.
  const isOther = tag.isClosing && place.items > 0 && FRAME_TAGS.has(tag.name);
  if (closes(tag, frame) || isOther) {
    source.at += tag.length;
    return "closed";
  }
  if (tag.isClosing) return place.items === 0 ? fault(`</${tag.written}> closes nothing`) : "unknown";
  if (NAME_TAGS.has(tag.name) && frame.tag !== undefined)
    return yield* readCallTag(context, frame, frame.tag);
  if (place.nesting >= MAX_NESTING) return fault("it is nested too deep");
  return yield* readOpening(context, frame, tag, place);
}

const BROKEN_CALL = /^<(?:\|open\|>|[｜|]DSML[｜|]|[\w.-]+:)?\s?(?:function|invoke|call)\b/i;

/** Decides about a tag that is broken, or cut off by the end of the text. */
function brokenTag(source: Source): Found {
  const text = source.window.slice(source.at);
  const isCut = source.isEnded && /^<(?:\|(?:open|close)\|>)?[^<>]*$/.test(text);
  if (!isCut && !BROKEN_CALL.test(text)) return "unknown";
  // It is not the marker at which reading goes on.
  source.at += 1;
  return isCut ? CUT_OFF : fault("its tag is broken");
}

function* readOpening(context: Context, frame: Frame, tag: Tag, place: Place): Step<Found> {
  const { source, tools } = context;
  const name = calledBy(tag) ?? (tools.has(tag.written) ? tag.written : undefined);
  if (name === undefined && !FRAME_TAGS.has(tag.name) && !CALL_TAGS.has(tag.name))
    return fault(`<${tag.written}> is not expected here`);
  source.at += tag.length;
  return yield* readInner(context, frameOfTag(tag, name, frame), place);
}

function* readInner(context: Context, inner: Frame, { nesting }: Place): Step<Found> {
  return (yield* readFrame(context, inner, nesting + 1)) === "read" ? "read" : NO_NAME;
}

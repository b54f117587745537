import { CUT_OFF, emitCalls, emitProblem, NO_NAME, type Context } from "./context.ts";
import { CALL_TAGS, FRAME_TAGS, calledBy, closes, frameOfTag, frameOfToken, type Frame } from "./frame.ts";
import { parseJson } from "../values/parse-json.ts";
import { MAX_SPACE, readCallTag, type Outcome } from "./read-call-tag.ts";
import { NAME_TAGS, readFields } from "./read-fields.ts";
import { readNamed, readPython, skipFence, type ItemOutcome } from "./read-named.ts";
import { scanTo, scanValue, type Step } from "../scan/scan.ts";
import { peekTag, peekToken, type Tag, type Token } from "../scan/tag.ts";
import { toCalls } from "./to-calls.ts";

const MAX_NESTING = 8;

/** Reads from an opening marker, which has just been taken, through the closing one. */
export function* readFrame(context: Context, frame: Frame, nesting = 0): Step<Outcome> {
  const { source, emitter } = context;
  for (let items = 0; ; items += 1) {
    const next = yield* source.peekPastSpace(items === 0 ? MAX_SPACE : undefined);
    if (next === "" && source.isEnded && (items === 0 || frame.held !== undefined)) {
      return yield* skipBroken(context, frame, CUT_OFF);
    }
    const found = next === "" ? "unknown" : yield* readItem(context, frame, { next, items, nesting });
    if (found === "done") return "read";
    if (found === "closed") return close(context, frame, items);
    if (found === "unknown" && items === 0) return "text";
    if (found === "unknown") {
      emitter.defer(source.taken());
      source.mark();
      return "read";
    }
    if (found !== "read") return yield* skipBroken(context, frame, found.fault);
  }
}

function close({ source, emitter }: Context, frame: Frame, items: number): Outcome {
  if (items === 0) return "text";
  if (frame.isInner === true) return "read";
  for (const call of frame.held ?? []) emitter.call(call);
  source.mark();
  return "read";
}

interface Place {
  readonly next: string;
  readonly items: number;
  readonly nesting: number;
}

function* readItem(context: Context, frame: Frame, place: Place): Step<ItemOutcome | "closed"> {
  const { source } = context;
  const { next, items } = place;
  if (next === "{") return yield* readJson(context, frame);
  if (next === "[") return yield* readList(context, frame);
  if (next === "<" || next === "]") {
    const found = yield* readMarkup(context, frame, place);
    if (found !== "unknown" || next === "<" || items === 0) return found;
  }
  if (next === "`") return (yield* skipFence(context)) ? "read" : "unknown";
  if (items > 0 && ",;}])".includes(next)) {
    source.at += 1;
    return "read";
  }
  return /[\w"']/.test(next) ? yield* readNamed(context, frame) : "unknown";
}

function* readList(context: Context, frame: Frame): Step<ItemOutcome> {
  const text = yield* peekPattern(context, /^\[\s{0,32}[A-Za-z_][\w.]{0,96}\s{0,8}/);
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

function* readJson(context: Context, frame: Frame): Step<ItemOutcome> {
  const { source } = context;
  const from = source.offset;
  const isPython = QUOTED_LIKE_PYTHON.test(yield* source.peek(8));
  const isStrict = context.isStrict && frame.end !== undefined;
  let isWhole = !isStrict && (yield* scanValue(source, isPython ? "python" : "json"));
  if (!isWhole && frame.end !== undefined) isWhole = yield* scanToEnd(context, frame.end(), from);
  if (!isWhole && source.isEnded && source.at >= source.window.length) return { fault: CUT_OFF };
  const parsed = parseJson(source.taken().slice(from));
  if (parsed === undefined) return { fault: "it is not valid JSON" };
  const calls = toCalls(parsed.value, { isByName: frame.isByName === true });
  if (calls === undefined) return { fault: NO_NAME };
  const repaired = parsed.repaired ? { repaired: true as const } : {};
  const found = calls.map((call) => ({ ...call, ...repaired }));
  emitCalls(context, frame, found);
  return "read";
}

/** Finds the end of a frame with broken content. If an unclosed string contains it, it is searched for once inside the string. */
function* scanToEnd(context: Context, end: RegExp, from: number): Step<boolean> {
  const { source } = context;
  if ((yield* scanTo(source, end)) !== undefined) return true;
  end.lastIndex = from;
  const found = end.exec(source.taken());
  if (found === null) return false;
  source.rewind(found.index);
  context.isStrict = true;
  return true;
}

function* readMarkup(context: Context, frame: Frame, place: Place): Step<ItemOutcome | "closed"> {
  const token = yield* peekToken(context.source);
  const isTag = token?.name === "open" || token?.name === "close";
  if (token !== undefined && !isTag) return yield* readToken(context, frame, token, place);
  return yield* readTag(context, frame, place);
}

type Found = ItemOutcome | "closed";

function* readToken(context: Context, frame: Frame, token: Token, place: Place): Step<Found> {
  const { source } = context;
  if (frame.closers.includes(token.name)) {
    source.at += token.length;
    return "closed";
  }
  if (token.name === "plugin" || token.name === "interpreter") {
    source.at += token.length;
    const next = yield* source.peekPastSpace();
    return next === "" ? { fault: CUT_OFF } : yield* readItem(context, frame, { ...place, next });
  }
  if (token.name === "tool_sep" && place.items > 0) {
    source.at += token.length;
    return "read";
  }
  const inner = frameOfToken(token.name, context.patterns);
  if (inner === undefined || place.nesting >= MAX_NESTING) return "unknown";
  source.at += token.length;
  return yield* readInner(context, frame, inner, place);
}

function* readTag(context: Context, frame: Frame, place: Place): Step<ItemOutcome | "closed"> {
  const { source } = context;
  const tag = yield* peekTag(source);
  if (tag === undefined) return brokenTag(source.window.slice(source.at), source.isEnded);
  // Weak models close with another tag than they open with.
  const isOther = tag.isClosing && place.items > 0 && FRAME_TAGS.has(tag.name);
  if (closes(tag, frame) || isOther) {
    source.at += tag.length;
    return "closed";
  }
  if (tag.isClosing) return place.items === 0 ? { fault: `</${tag.written}> closes nothing` } : "unknown";
  if (NAME_TAGS.has(tag.name) && frame.tag !== undefined) return yield* readByFields(context, frame);
  if (place.nesting >= MAX_NESTING) return { fault: "it is nested too deep" };
  return yield* readOpening(context, frame, tag, place);
}

/** Decides about a tag that is cut off by the end of the text or by another tag. */
function brokenTag(text: string, isEnded: boolean): ItemOutcome {
  if (isEnded && /^<(?:\|(?:open|close)\|>)?[^<>]*$/.test(text)) return { fault: CUT_OFF };
  return /^<(?:[\w.-]+:)?(?:function|invoke)\b[^>]*</.test(text)
    ? { fault: "its tag is not closed" }
    : "unknown";
}

function* readOpening(context: Context, frame: Frame, tag: Tag, place: Place): Step<ItemOutcome> {
  const { source, tools, patterns } = context;
  const name = calledBy(tag) ?? (tools.has(tag.written) ? tag.written : undefined);
  const isFrame = FRAME_TAGS.has(tag.name);
  if (name === undefined && !isFrame && !CALL_TAGS.has(tag.name)) {
    return { fault: `<${tag.written}> is not expected here` };
  }
  source.at += tag.length;
  if (name !== undefined) {
    const outcome = yield* readCallTag(context, tag, name, frame);
    return outcome === "read" ? "read" : { fault: "there is text where its parameters should be" };
  }
  // A call without a name in its tag has the name inside, and counts only if all enclosing tags are closed.
  if (!isFrame) frame.held ??= [];
  return yield* readInner(context, frame, frameOfTag(tag, patterns), place);
}

function* readInner(context: Context, frame: Frame, inner: Frame, place: Place): Step<ItemOutcome> {
  const held = frame.held === undefined ? {} : { held: frame.held, isInner: true };
  const outcome = yield* readFrame(context, { ...inner, ...held }, place.nesting + 1);
  return outcome === "read" ? "read" : { fault: NO_NAME };
}

function* readByFields(context: Context, frame: Frame): Step<ItemOutcome> {
  if (frame.tag === undefined) return "unknown";
  const found = yield* readFields(context, frame.tag);
  if ("fault" in found) return found;
  emitCalls(context, frame, [found.call]);
  return "read";
}

/** Skips the rest of a frame that cannot be read. */
function* skipBroken(context: Context, frame: Frame, fault: string): Step<Outcome> {
  const found = frame.end === undefined ? undefined : yield* scanTo(context.source, frame.end());
  context.source.at += found?.[0].length ?? 0;
  return emitProblem(context, fault);
}

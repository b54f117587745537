import type { Context } from "./context.ts";
import { boundaryOf, type Frame } from "./frame.ts";
import { peekWord, scanTo, words, type Source, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, type Tag } from "../scan/tag.ts";
import { namesParameter } from "./repair-parameters.ts";
import { putBack } from "./take-value.ts";
import { plainName } from "../values/match-key.ts";

/** A call whose parameters are being read. */
export interface OpenCall {
  readonly tag: Tag;
  readonly frame: Frame;
  readonly name: string | undefined;
  /** Set after an unclosed parameter: from then on the first tag ends a value, or the call is refused. */
  isLoose: boolean;
  /** Where a call with an unclosed parameter ends. */
  end: number | undefined;
  /** The key that was read before a value without one. */
  readonly pendingKey: string | undefined;
}

/** The end of a value. `isRepaired` means that its closing tag is missing. */
export interface ReadValue {
  readonly to: number;
  readonly isRepaired: boolean;
  readonly repair?: string;
}

/**
 * Skips a parameter's value and its closing tag. Nested tags of the same kind are counted, so that a value may contain a call. A
 * closing tag counts as missing only if the call is closed and nothing after that closes the parameter. Returns undefined, at the
 * beginning of the value, if it is not certain where the value ends.
 */
export function* readValue(context: Context, call: OpenCall, parameter: Tag): Step<ReadValue | undefined> {
  const { source } = context;
  if (source.position < context.strictUntil && !call.isLoose)
    return yield* skipElement(context, call, parameter);
  const from = source.offset;
  const pattern = context.patterns.of(
    `${call.tag.form} ${call.tag.name} ${parameter.form} ${parameter.name}`,
    () => eventsOf(call.tag, parameter),
  );
  const seen: Seen = { from, depth: 0, calls: 0, opening: undefined, callEnd: undefined, hasLiteral: false };
  yield* skipCdata(source);
  for (;;) {
    const stop = yield* scanTo(source, pattern);
    if (stop === undefined || isOver(seen, stop))
      return endAtCall(context, call, parameter, seen) ?? putBack(context, from);
    const closing = stop.groups?.["closing"];
    if (call.isLoose) return endLoosely(context, call, { parameter, from }, stop) ?? putBack(context, from);
    if (closing !== undefined && seen.depth === 0) {
      if (!(yield* isPartOfValue(context, call, pattern, stop[0].length)))
        return endHere(source, seen, closing.length);
      seen.hasLiteral = true;
      continue;
    }
    const { offset } = source;
    source.at += stop[0].length;
    count(seen, offset, stop.groups ?? {}, (key) => context.tools.mayHave(call.name, key));
  }
}

/** Returns whether the next call begins, after the end of this one. */
function isOver({ callEnd }: Seen, { groups }: RegExpExecArray): boolean {
  return callEnd !== undefined && groups?.["callOpening"] !== undefined;
}

/** Ends a value here, before a closing tag of this length. */
function endHere(source: Source, { hasLiteral }: Pick<Seen, "hasLiteral">, length: number): ReadValue {
  const to = source.offset;
  source.at += length;
  return { to, isRepaired: false, ...(hasLiteral ? { repair: "a tag in a value" } : {}) };
}

interface LooseValue {
  readonly parameter: Tag;
  readonly from: number;
}

/** Ends a value of a call that has an unclosed parameter at the first tag; undefined if that tag may be a part of the value. */
function endLoosely(
  context: Context,
  call: OpenCall,
  { parameter, from }: LooseValue,
  { groups = {} }: RegExpExecArray,
): ReadValue | undefined {
  const { source } = context;
  const { closing, opening, key = "", callClosing } = groups;
  if (closing !== undefined) return endHere(source, { hasLiteral: false }, closing.length);
  const to = source.offset;
  const isNext =
    opening === undefined
      ? callClosing !== undefined && to === call.end
      : opening.startsWith("\n") || context.tools.requires(call.name, key.trim());
  return isNext ? endUnclosed(context, call, parameter, { from, to }) : undefined;
}

/**
 * Skips a value up to its own closing tag. Returns undefined, at its beginning, if its call is closed before it is, or if the next
 * value begins inside.
 */
export function* skipElement(context: Context, call: OpenCall, tag: Tag): Step<ReadValue | undefined> {
  const { source, patterns, strictUntil } = context;
  const from = source.offset;
  const name = tag.written.replace(/^.*:/, "");
  const closing = closingSource(tag.form, name);
  const stops = [closingSource(call.tag.form, call.tag.name), openingSource(tag.form, name)];
  if (source.position < strictUntil) stops.push(boundaryOf(call.frame));
  if (tag.name === "arg_value") stops.push(openingSource(tag.form, "arg_key"));
  // A name has no markup in it.
  if (tag.name === "arg_key" || call.name === undefined) stops.push(String.raw`<[^/\s]`);
  const stop = yield* scanTo(source, patterns.of(`(?<closing>${closing})|${stops.join("|")}`));
  if (stop?.groups?.["closing"] === undefined) return putBack(context, from);
  const to = source.offset;
  source.at += stop[0].length;
  return { to, isRepaired: false };
}

const CDATA = "<![CDATA[";

/** Skips a section in which tags are text. */
function* skipCdata(source: Source): Step<void> {
  if ((yield* peekWord(source, CDATA)) === CDATA) yield* scanTo(source, /\]\]>/g);
}

interface Seen {
  /** Where the value begins. */
  readonly from: number;
  depth: number;
  calls: number;
  /** The first opening tag, and whether it is on a line of its own. */
  opening: { readonly offset: number; readonly isOnLine: boolean; readonly key: string } | undefined;
  callEnd: number | undefined;
  /** Whether a closing tag was part of the value. */
  hasLiteral: boolean;
}

type Event = Readonly<Record<string, string>>;

function count(seen: Seen, offset: number, event: Event, mayFollow: (key: string) => boolean): void {
  const { closing, opening, key = "", callClosing, callOpening } = event;
  if (closing !== undefined) seen.depth -= 1;
  const isOnLine = opening?.startsWith("\n") === true;
  if (opening !== undefined && (isOnLine || seen.calls > 0 || mayFollow(key))) {
    seen.depth += 1;
    seen.opening ??= { offset, isOnLine, key: key.trim() };
  }
  if (callOpening !== undefined) seen.calls += 1;
  if (callClosing === undefined) return;
  if (seen.calls > 0) seen.calls -= 1;
  else seen.callEnd ??= offset;
}

/** Goes back to where an unclosed value must have ended, now that its call is known to have ended; undefined if that is not certain. */
function endAtCall(context: Context, call: OpenCall, parameter: Tag, seen: Seen): ReadValue | undefined {
  const { from, opening, callEnd } = seen;
  if (callEnd === undefined || context.reason === "length") return undefined;
  const to = Math.min(opening?.offset ?? callEnd, callEnd);
  const isCertain =
    opening === undefined ||
    opening.offset > callEnd ||
    opening.isOnLine ||
    context.tools.requires(call.name, opening.key);
  const ended = isCertain ? endUnclosed(context, call, parameter, { from, to }) : undefined;
  if (ended === undefined) return undefined;
  call.isLoose = true;
  call.end = callEnd;
  return ended;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Ends an unclosed value here, or before a closing tag that only a call can have. Returns undefined, with nothing put back, if other
 * markup in it may be content or the rest of a closing tag.
 */
function endUnclosed(
  { source }: Context,
  call: OpenCall,
  parameter: Tag,
  { from, to }: Span,
): ReadValue | undefined {
  const value = source.taken().slice(from, to);
  const [last = "", word = ""] = LAST_CLOSING.exec(value) ?? [];
  const wrongTag = isCallWord(word, call, parameter) ? last : "";
  if (MARKUP.test(value.slice(0, value.length - wrongTag.length))) return undefined;
  source.rewind(to);
  return { to: to - wrongTag.length, isRepaired: true, repair: "a parameter that is not closed" };
}

/** Returns whether a closing tag of this name belongs to the notation of calls and not to a value. */
function isCallWord(word: string, { pendingKey }: OpenCall, parameter: Tag): boolean {
  const { name, key: inner } = parameter.attributes;
  const key = parameter.value ?? name ?? inner ?? pendingKey ?? parameter.written;
  return plainName(word) === plainName(key) || CALL_WORDS.has(word);
}

/**
 * Reads a value between tags of the parameter's own name, or of all values. If it is not closed, it ends where the next parameter of
 * the tool begins or the call ends.
 */
export function* readElement(
  context: Context,
  call: OpenCall,
  tag: Tag,
  names: readonly string[],
): Step<ReadValue | undefined> {
  const { source, patterns } = context;
  const from = source.offset;
  const isListed = names.length > 0 && source.position >= context.strictUntil;
  const others = tag.name === "arg_value" ? ["arg_key"] : names.filter((name) => name !== tag.written);
  const own = tag.written.replace(/^.*:/, "");
  const ends = [
    closingSource(call.tag.form, call.tag.name),
    String.raw`<\/(?:parameters|arguments|args|params)>`,
  ];
  const pattern = patterns.of(
    `(?<closing>${closingSource(tag.form, own)})|(?<opening>\\n?${openingSource(tag.form, others.length === 0 ? own : others, "(?=(?<sign>[\\s>]))")})|(?<end>${ends.join("|")})`,
  );
  if (!isListed) return yield* skipElement(context, call, tag);
  let repair: string | undefined;
  for (;;) {
    const stop = yield* scanTo(source, pattern);
    const to = source.offset;
    if (stop?.groups?.["closing"] === undefined)
      return yield* readUnclosed(context, { call, tag, from }, stop);
    if (!(yield* isPartOfValue(context, call, pattern, stop[0].length))) {
      source.at += stop[0].length;
      return { to, isRepaired: false, ...(repair === undefined ? {} : { repair }) };
    }
    repair = "a tag in a value";
  }
}

interface Unclosed {
  readonly call: OpenCall;
  readonly tag: Tag;
  readonly from: number;
}

/** Ends a value that is not closed where the next parameter begins or the call ends, unless its end may have been cut off. */
function* readUnclosed(
  context: Context,
  { call, tag, from }: Unclosed,
  found: RegExpExecArray | undefined,
): Step<ReadValue | undefined> {
  const { source } = context;
  const to = source.offset;
  source.rewind(from);
  const skipped = yield* skipElement(context, call, tag);
  if (skipped !== undefined || found === undefined || context.reason === "length") return skipped;
  source.at += to - from;
  const isCertain =
    found[0].startsWith("\n") || found.groups?.["end"] !== undefined || tag.name === "arg_value";
  const ended = isCertain ? endUnclosed(context, call, tag, { from, to }) : undefined;
  if (ended === undefined) source.rewind(from);
  return ended;
}

const MARKUP = /<[/|｜\p{L}]|[\p{L}_]>|\]<\]/u;
const LAST_CLOSING = /<\/([\w:.-]{1,48})>\s*$/;
const CALL_WORDS = words("parameter param argument arg arg_value");

/**
 * Returns whether the closing tag at the cursor is a part of the value: text follows it in its line that does not begin with the name
 * of a parameter, and another closing tag before the next parameter and the end of the call. Else the opening tag of a parameter may
 * be lost. Takes the tag if it is a part.
 */
function* isPartOfValue(
  { source, tools }: Context,
  { name = "" }: OpenCall,
  pattern: RegExp,
  length: number,
): Step<boolean> {
  const before = source.offset;
  source.at += length;
  const past = source.offset;
  const next = yield* source.peekPastSpace();
  const after = source.offset;
  const isInLine = !source.taken().slice(past).includes("\n");
  const mayBePart = isInLine && !["", "<", "]", "\\"].includes(next) && tools.knows(tools.closestTo(name));
  let isPart = mayBePart && (yield* scanTo(source, pattern))?.groups?.["closing"] !== undefined;
  if (isPart) isPart = !namesParameter(tools, name, source.taken().slice(after).split(/\s+/, 3).join(" "));
  source.rewind(isPart ? after : before);
  return isPart;
}

/** Returns the source of a pattern for tags that matter inside a value: those of its own kind, and call tags. */
function eventsOf(call: Tag, parameter: Tag): string {
  const sign = String.raw`\s{0,4}(?:name|key|tool)?\s{0,4}=`;
  const named = String.raw`${sign}\s{0,4}["']?(?<key>[^"'<>]{1,48})["'>]`;
  const opening = String.raw`(?<opening>(?:\n[ \t]{0,16})?${openingSource(parameter.form, parameter.name, named)})`;
  const closing = `(?<closing>${closingSource(parameter.form, parameter.name)})`;
  const callOpening = `(?<callOpening>${openingSource(call.form, call.name, sign)})`;
  return `${closing}|${opening}|(?<callClosing>${closingSource(call.form, call.name)})|${callOpening}`;
}

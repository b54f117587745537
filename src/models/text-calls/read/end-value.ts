import { boundaryOf, type Frame } from "./frame.ts";
import { closingSource, openingSource, type Tag } from "../scan/tag.ts";
import { putBack, type Context } from "./context.ts";
import { scanTo, words, type Step } from "../scan/scan.ts";
import { namesParameter } from "./repair-parameters.ts";
import { plainName } from "../values/match-key.ts";

const MARKUP = /<[/|｜\p{L}]|[\p{L}_]>|\]<\]|\]minimax|minimax\[/u;
const LAST_CLOSING = /<\/([\w:.-]{1,48})>\s*$/;
const CALL_WORDS = words("parameter param argument arg arg_value");

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

export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Ends an unclosed value here, or before a closing tag that only a call can have. Returns undefined, with nothing put back, if other
 * markup in it may be content or the rest of a closing tag.
 */
export function endUnclosed(
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
 * Returns whether the closing tag at the cursor is a part of the value: text follows it in its line that does not begin with the name
 * of a parameter, and another closing tag before the next parameter and the end of the call. Else the opening tag of a parameter may
 * be lost. Takes the tag if it is a part.
 */
export function* isPartOfValue(
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

import type { Context } from "./context.ts";
import { boundaryOf, type Frame } from "./frame.ts";
import { peekWord, scanTo, type Source, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, type Tag } from "../scan/tag.ts";
import { putBack } from "./take-value.ts";

/** A call whose parameters are being read. */
export interface OpenCall {
  readonly tag: Tag;
  readonly frame: Frame;
  readonly name: string | undefined;
  /** Set after an unclosed parameter: from then on any tag ends a value. */
  isLoose: boolean;
}

/** The end of a value. `isRepaired` means that its closing tag is missing. */
export interface ReadValue {
  readonly to: number;
  readonly isRepaired: boolean;
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
  const seen: Seen = { from, depth: 0, calls: 0, opening: undefined, callEnd: undefined };
  yield* skipCdata(source);
  for (;;) {
    const stop = yield* scanTo(source, pattern);
    const { closing, callOpening } = stop?.groups ?? {};
    if (stop === undefined || (callOpening !== undefined && seen.callEnd !== undefined))
      return endAtCall(context, call, seen) ?? putBack(context, from);
    const offset = source.offset;
    if (call.isLoose || (closing !== undefined && seen.depth === 0)) {
      if (closing !== undefined) source.at += stop[0].length;
      return { to: offset, isRepaired: closing === undefined };
    }
    source.at += stop[0].length;
    count(seen, offset, stop.groups ?? {}, (key) => mayFollow(context, call, key));
  }
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
  opening: { readonly offset: number; readonly isOnLine: boolean } | undefined;
  callEnd: number | undefined;
}

type Event = Readonly<Record<string, string>>;

function count(seen: Seen, offset: number, event: Event, mayFollow: (key: string) => boolean): void {
  const { closing, opening, key = "", callClosing, callOpening } = event;
  if (closing !== undefined) seen.depth -= 1;
  const isOnLine = opening?.startsWith("\n") === true;
  if (opening !== undefined && (isOnLine || seen.calls > 0 || mayFollow(key))) {
    seen.depth += 1;
    seen.opening ??= { offset, isOnLine };
  }
  if (callOpening !== undefined) seen.calls += 1;
  if (callClosing === undefined) return;
  if (seen.calls > 0) seen.calls -= 1;
  else seen.callEnd ??= offset;
}

/** Returns whether a tag inside a line may begin another parameter of the call. */
function mayFollow({ tools }: Context, { name }: OpenCall, key: string): boolean {
  const properties = tools.propertiesOf(name);
  return properties === undefined || Object.hasOwn(properties, key.trim());
}

/** Goes back to where an unclosed value must have ended, now that its call is known to have ended; undefined if that is not certain. */
function endAtCall(context: Context, call: OpenCall, seen: Seen): ReadValue | undefined {
  const { from, opening, callEnd } = seen;
  if (callEnd === undefined || opening?.isOnLine === false || context.reason === "length") return undefined;
  const to = Math.min(opening?.offset ?? callEnd, callEnd);
  // Markup in the value may be the rest of its closing tag.
  if (/[<>]/.test(context.source.taken().slice(from, to))) return undefined;
  context.source.rewind(to);
  call.isLoose = true;
  return { to, isRepaired: true };
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

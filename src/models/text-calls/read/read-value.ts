import { putBack, type Context } from "./context.ts";
import { peekWord, scanTo, type Source, type Step } from "../scan/scan.ts";
import { closingSource, openingSource, type Tag } from "../scan/tag.ts";
import { endUnclosed, skipElement, isPartOfValue, type OpenCall, type ReadValue } from "./end-value.ts";

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
  // After a parameter, that end of the call was a wrong closing tag of the value.
  const isCertain =
    opening === undefined ||
    (opening.offset < callEnd && (opening.isOnLine || context.tools.requires(call.name, opening.key)));
  const ended = isCertain ? endUnclosed(context, call, parameter, { from, to }) : undefined;
  if (ended === undefined) return undefined;
  call.isLoose = true;
  call.end = callEnd;
  return ended;
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

import type { Context } from "./context.ts";
import { peekWord, scanTo, type Step } from "../scan/scan.ts";
import { closingSource, type Tag } from "../scan/tag.ts";

/** A call whose parameters are being read. */
export interface OpenCall {
  readonly tag: Tag;
  readonly name: string;
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
 * closing tag counts as missing only if the call is closed and nothing after that closes the parameter. Returns undefined if the text
 * ends inside the value.
 */
export function* readValue(context: Context, call: OpenCall, parameter: Tag): Step<ReadValue | undefined> {
  const { source } = context;
  const pattern = context.patterns.of(eventsOf(call.tag, parameter));
  const seen: Seen = { depth: 0, calls: 0, firstOpening: undefined, callEnd: undefined };
  if ((yield* peekWord(source, CDATA)) === CDATA && (yield* scanTo(source, CDATA_END)) === undefined)
    return undefined;
  for (;;) {
    const found = yield* scanTo(source, pattern);
    const offset = source.offset;
    if (found === undefined) return context.reason === "length" ? undefined : endAtCall(context, call, seen);
    const { closing, callOpening } = found.groups ?? {};
    const isLast = call.isLoose || (closing !== undefined && seen.depth === 0);
    if (isLast) {
      if (closing !== undefined) source.at += found[0].length;
      return { to: offset, isRepaired: closing === undefined };
    }
    if (callOpening !== undefined && seen.callEnd !== undefined) return endAtCall(context, call, seen);
    source.at += found[0].length;
    count(seen, offset, found.groups ?? {});
  }
}

/** Skips a value between tags of its own name and returns where it ends; undefined if the enclosing tag is closed before it is. */
export function* skipElement({ source, patterns }: Context, tag: Tag, around: Tag): Step<number | undefined> {
  const closing = closingSource(tag.form, tag.written.replace(/^.*:/, ""));
  const found = yield* scanTo(
    source,
    patterns.of(`(?<closing>${closing})|${closingSource(around.form, around.name)}`),
  );
  if (found?.groups?.["closing"] === undefined) return undefined;
  const to = source.offset;
  source.at += found[0].length;
  return to;
}

/** Tags inside CDATA are text. */
const CDATA = "<![CDATA[";
const CDATA_END = /\]\]>/g;

interface Seen {
  depth: number;
  calls: number;
  firstOpening: number | undefined;
  callEnd: number | undefined;
}

function count(seen: Seen, offset: number, event: Readonly<Record<string, string>>): void {
  const { closing, opening, callClosing, callOpening } = event;
  if (closing !== undefined) seen.depth -= 1;
  if (opening !== undefined) {
    seen.depth += 1;
    seen.firstOpening ??= offset;
  }
  if (callOpening !== undefined) seen.calls += 1;
  if (callClosing === undefined) return;
  if (seen.calls > 0) seen.calls -= 1;
  else seen.callEnd ??= offset;
}

/** Goes back to where an unclosed value must have ended, now that its call is known to have ended. */
function endAtCall(context: Context, call: OpenCall, seen: Seen): ReadValue | undefined {
  if (seen.callEnd === undefined) return undefined;
  const to = Math.min(seen.firstOpening ?? seen.callEnd, seen.callEnd);
  context.source.rewind(to);
  call.isLoose = true;
  return { to, isRepaired: true };
}

/** Returns the source of a pattern for tags that matter inside a value: those of its own kind at the start of a line, and call tags. */
function eventsOf(call: Tag, parameter: Tag): string {
  const closing = `(?<closing>${closingSource(parameter.form, parameter.name)})`;
  if (parameter.form !== "xml") return closing;
  const sign = parameter.value === undefined ? String.raw`\s{1,4}name\s{0,4}=` : "=";
  const opening = String.raw`(?<opening>\n[ \t]{0,16}<(?:[\w.-]{1,24}:)?${parameter.name}${sign})`;
  const callSign = call.value === undefined ? String.raw`\s{1,4}name\s{0,4}=` : "=";
  const callOpening = String.raw`(?<callOpening><(?:[\w.-]{1,24}:)?${call.name}${callSign})`;
  return `${closing}|${opening}|(?<callClosing>${closingSource("xml", call.name)})|${callOpening}`;
}

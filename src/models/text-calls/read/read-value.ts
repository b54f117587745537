import type { Context } from "../text/context.ts";
import { peekWord, scanTo } from "../text/scan.ts";
import type { Step } from "../text/source.ts";
import type { Tag } from "../text/tag.ts";
import { closingSource } from "../text/tag.ts";

/** A call whose parameters are being read. */
export interface OpenCall {
  readonly tag: Tag;
  readonly name: string;
  /** Set where a parameter was left open: then the next tag of any kind ends a value. */
  isLoose: boolean;
}

/** Where a value ended; `isMended` where its closing tag is missing. */
export interface ReadValue {
  readonly to: number;
  readonly isMended: boolean;
}

/**
 * Passes over a parameter's value and its closing tag. Tags of the same kind inside a value are counted, so that a value may show a call. A
 * closing tag is taken for missing only when the call was closed and nothing behind it closes the parameter. Undefined where the text ends inside.
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
    if (found === undefined) return context.reason === "length" ? undefined : mend(context, call, seen);
    const { closing, opening, callClosing, callOpening } = found.groups ?? {};
    const isLast = call.isLoose || (closing !== undefined && seen.depth === 0);
    if (isLast) {
      if (closing !== undefined) source.at += found[0].length;
      return { to: offset, isMended: closing === undefined };
    }
    if (callOpening !== undefined && seen.callEnd !== undefined) return mend(context, call, seen);
    source.at += found[0].length;
    note(seen, offset, { closing, opening, callClosing, callOpening });
  }
}

/** Between these, tags are text. */
const CDATA = "<![CDATA[";
const CDATA_END = /\]\]>/g;

interface Seen {
  depth: number;
  calls: number;
  firstOpening: number | undefined;
  callEnd: number | undefined;
}

interface Event {
  readonly closing: string | undefined;
  readonly opening: string | undefined;
  readonly callClosing: string | undefined;
  readonly callOpening: string | undefined;
}

function note(seen: Seen, offset: number, event: Event): void {
  if (event.closing !== undefined) seen.depth -= 1;
  if (event.opening !== undefined) {
    seen.depth += 1;
    seen.firstOpening ??= offset;
  }
  if (event.callOpening !== undefined) seen.calls += 1;
  if (event.callClosing === undefined) return;
  if (seen.calls > 0) seen.calls -= 1;
  else seen.callEnd ??= offset;
}

/** Goes back to where the value must have ended, now that its call is known to be over. */
function mend(context: Context, call: OpenCall, seen: Seen): ReadValue | undefined {
  if (seen.callEnd === undefined) return undefined;
  const to = Math.min(seen.firstOpening ?? seen.callEnd, seen.callEnd);
  context.source.rewind(to);
  call.isLoose = true;
  return { to, isMended: true };
}

/** What matters inside a value: tags of its own kind, which count where they begin a line, and the tags of calls. */
function eventsOf(call: Tag, parameter: Tag): string {
  const closing = `(?<closing>${closingSource(parameter.form, parameter.name)})`;
  if (parameter.form !== "xml") return closing;
  const sign = parameter.value === undefined ? String.raw`\s{1,4}name\s{0,4}=` : "=";
  const opening = String.raw`(?<opening>\n[ \t]{0,16}<(?:[\w.-]{1,24}:)?${parameter.name}${sign})`;
  const callSign = call.value === undefined ? String.raw`\s{1,4}name\s{0,4}=` : "=";
  const callOpening = String.raw`(?<callOpening><(?:[\w.-]{1,24}:)?${call.name}${callSign})`;
  return `${closing}|${opening}|(?<callClosing>${closingSource("xml", call.name)})|${callOpening}`;
}

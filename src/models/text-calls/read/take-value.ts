import { BROKEN, type Context, type Fault } from "./context.ts";
import { boundaryOf, type Frame } from "./frame.ts";
import { scanTo, scanValue, Source, type Quotes, type Step } from "../scan/scan.ts";
import { repairJson, type RepairedJson } from "../../../util/json/repair-json.ts";

/** Takes one bracketed value and returns its text. Returns undefined, with nothing taken, if it is broken or incomplete. */
export function* takeValue(context: Context, frame: Frame, quotes: Quotes): Step<string | undefined> {
  const { source } = context;
  const from = source.offset;
  if (source.position < context.strictUntil) {
    yield* toBoundary(context, frame);
    const text = source.taken().slice(from);
    source.rewind(from);
    const length = lengthOf(text, quotes);
    source.at += length ?? 0;
    return length === undefined ? undefined : text.slice(0, length);
  }
  if (yield* scanValue(source, quotes)) return source.taken().slice(from);
  return putBack(context, from);
}

/** Puts back an unreadable value. Up to its end, markers count even in strings, so that nothing is read a third time. */
export function putBack(context: Context, from: number): undefined {
  const { source } = context;
  context.strictUntil = Math.max(context.strictUntil, source.position);
  source.rewind(from);
}

/** Takes and parses JSON. If its brackets do not match, it is repaired up to what closes the frame. */
export function* takeJson(
  context: Context,
  frame: Frame,
  quotes: Quotes = "json",
): Step<RepairedJson | Fault> {
  const { source } = context;
  const from = source.offset;
  const whole = yield* takeValue(context, frame, quotes);
  const parsed = whole === undefined ? undefined : repairJson(whole);
  if (parsed !== undefined) return parsed;
  if (whole !== undefined) putBack(context, from);
  const isClosed = (yield* toBoundary(context, frame))?.groups?.["end"] !== undefined;
  const text = isClosed && whole === undefined ? source.taken().slice(from) : "[";
  // In a list of calls, a missing bracket may be that of any call.
  return (text.startsWith("[") ? undefined : repairJson(text)) ?? BROKEN;
}

/** Skips to where reading goes on after unreadable content; to the end of the text if there is no such place. */
export function toBoundary(
  { source, patterns }: Context,
  frame: Frame,
  isMarkup = false,
): Step<RegExpExecArray | undefined> {
  return scanTo(source, patterns.of(boundaryOf(frame, isMarkup)));
}

/** Returns the length of the value at the beginning of a text; undefined if it is broken or incomplete. */
function lengthOf(text: string, quotes: Quotes): number | undefined {
  const source = new Source();
  source.feed(text);
  source.isEnded = true;
  return scanValue(source, quotes).next().value === true ? source.at : undefined;
}

import { putBack, BROKEN, CUT_OFF, fault, type Context, type Fault } from "./context.ts";
import type { Place } from "../values/guided-text.ts";
import { readGuided, type Guided } from "../values/guided-value.ts";
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

/** A parsed value, whether it was repaired, and how if it had to be compared with a schema. */
export interface TakenJson extends RepairedJson {
  readonly repair?: string;
}

/**
 * Takes and parses JSON. If its brackets do not match, it is repaired up to what closes the frame. Other damage is repaired if the place,
 * which knows the schemas, leaves one meaning.
 */
export function* takeJson(
  context: Context,
  frame: Frame,
  placeOfValue: () => Place | undefined,
  quotes: Quotes = "json",
): Step<TakenJson | Fault> {
  const { source } = context;
  const from = source.offset;
  const whole = yield* takeValue(context, frame, quotes);
  const parsed = whole === undefined ? undefined : repairJson(whole);
  if (parsed !== undefined && !(yield* isContinued(context, frame))) return parsed;
  if (whole !== undefined) putBack(context, from);
  const end = yield* toBoundary(context, frame);
  const text = source.taken().slice(from);
  const isClosed = end?.groups?.["end"] !== undefined;
  // In a list of calls, a missing bracket may be that of any call.
  const isCompletable = isClosed && whole === undefined && !text.startsWith("[");
  const completed = isCompletable ? repairJson(text) : undefined;
  if (completed !== undefined) return completed;
  source.rewind(from);
  return yield* takeGuided(context, frame, (damaged) => {
    // Made only here: most values are not damaged.
    const place = placeOfValue();
    return place && readGuided(damaged, place, "json", context.tools.areCalledIn);
  });
}

const MAX_NEXT = 160;
/** Separators, and brackets too many. */
const BETWEEN = /^[\s,;}\])]*/;
const WORD = /^[\p{L}_][\p{L}\p{N}_.]*/u;

/** Returns whether text with a quote goes on where a value has ended: then it ended too early, at a quote that was not escaped. */
export function* isContinued({ source, tools, patterns }: Context, frame: Frame): Step<boolean> {
  const lengthOfWord = (text: string): number => WORD.exec(text)?.[0].length ?? 0;
  const before = yield* source.peekUntil(MAX_NEXT, (text) => text.replace(BETWEEN, "") !== "");
  const [between = ""] = BETWEEN.exec(before) ?? [];
  const next = before.charAt(between.length);
  // Its end, a marker, a code block, or another value.
  if (next === "" || "<`{[|｜".includes(next)) return false;
  const isMarked = frame.end !== undefined;
  // Without a closing marker, text may follow on the next line.
  if (!isMarked && between.includes("\n") && !(next === '"' && between.includes(","))) return false;
  const some = yield* source.peekUntil(MAX_NEXT, (text) => {
    const rest = text.slice(between.length);
    return rest !== "" && lengthOfWord(rest) < rest.length;
  });
  const rest = some.slice(between.length);
  const word = rest.slice(0, lengthOfWord(rest));
  const isCall = tools.isEmpty ? /^\s*[({\n]/.test(rest.slice(word.length)) : tools.has(tools.nameOf(word));
  if (word !== "" && isCall) return false;
  const from = source.offset;
  const end = yield* scanTo(source, patterns.of(`"|${isMarked ? "" : "\\n|"}${boundaryOf(frame)}`));
  source.rewind(from);
  return end?.[0] === '"';
}

/** Reads a damaged value up to what ends its call, unless its end may be missing. */
export function* takeGuided(
  context: Context,
  frame: Frame,
  read: (text: string) => Guided | undefined,
): Step<TakenJson | Fault> {
  const { source, tools } = context;
  const from = source.offset;
  const end = yield* toBoundary(context, frame);
  // Without a closing marker, the end of the text ends the call if the model stopped by itself.
  const isWhole =
    end !== undefined || ((frame.end === undefined || context.isUnclosed) && context.reason !== "length");
  const text = source.taken().slice(from);
  const reading = isWhole && !tools.isEmpty ? read(text) : undefined;
  if (reading === undefined) return BROKEN;
  if (!("value" in reading)) return placedFault(text, reading);
  // Where nothing closes a call, a text that was cut off may end with a bracket of its own.
  if (end === undefined && reading.lacksQuote) return CUT_OFF;
  return { value: reading.value, repaired: true, repair: reading.repair };
}

const MAX_SHOWN = 24;

/** Returns a fault that names the place and what to write instead. */
function placedFault(text: string, { at, why }: Extract<Guided, { readonly at: number }>): Fault {
  const excerpt = JSON.stringify(text.slice(at, at + MAX_SHOWN));
  const place = `at character ${at + 1}, ${excerpt}`;
  if (why === "ambiguous")
    return fault(`${place}, it has more than one meaning: write a quote inside a text as \\"`);
  return {
    fault: `it is not valid ${place}: write it as JSON, and a quote inside a text as \\"`,
    mayBeCut: true,
  };
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

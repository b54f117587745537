import type { Json } from "../../../core/json.ts";
import { unescapePython } from "../../../util/json/repair-json.ts";
import { createSearch, fail, isExhausted, type Search } from "./guided-search.ts";
import { readMembers, readWhole } from "./guided-reader.ts";
import {
  CALLED,
  GuidedText,
  type MayEnd,
  type OpenCalls,
  NO_QUOTE,
  QUOTED,
  SUSPECT,
  type Place,
  type Reading,
  type Readings,
  type Writing,
} from "./guided-text.ts";

/** The result of reading a damaged value: its only meaning, or where and why it has none. */
export type Guided =
  | { readonly value: Json; readonly repair: string; readonly end: number; readonly lacksQuote: boolean }
  | { readonly at: number; readonly why: "unreadable" | "ambiguous" };

/** Returns whether a text looks as if it had a call in it. */
type LooksCalled = (text: string) => boolean;

/** Reads what a damaged text means, if it has exactly one meaning that its place accepts. Never completes a text that was cut off. */
export function readGuided(
  text: string,
  place: Place,
  writing: Writing,
  looksCalled: LooksCalled = () => false,
): Guided {
  const search = searchIn(text, writing);
  return onlyReading(search, readWhole(search, place), looksCalled, place);
}

/** The same for calls in Python notation: their names and inputs. */
export function readGuidedCalls(
  text: string,
  inputOf: (name: string) => Place | undefined,
  looksCalled: LooksCalled,
): Guided {
  const search = searchIn(text, "python");
  return onlyReading(search, readCalls(search, inputOf), looksCalled);
}

/** Reads every meaning that the text may have as calls. */
function* readCalls(search: Search, inputOf: (name: string) => Place | undefined): Readings {
  const { at } = search.text.skip(0);
  const isList = search.text.text.charAt(at) === "[";
  yield* readCallsFrom(search, isList ? at + 1 : at, { isList, inputOf, value: [], repairs: [] });
}

function* readCallsFrom(search: Search, from: number, open: OpenCalls): Readings {
  const { isList, inputOf, value, repairs } = open;
  const { at: start } = search.text.skip(from);
  const [whole, name = ""] = search.text.match(CALLED, start) ?? [];
  const place = inputOf(name);
  if (whole === undefined || place === undefined) {
    fail(search, start);
    return;
  }
  const mayEnd: MayEnd = (at) => {
    const { at: next } = search.text.skip(at);
    if (isList && search.text.text.charAt(next) === ",")
      return search.text.match(CALLED, search.text.skipCommas(next).at) !== undefined;
    return search.text.isRest(next);
  };
  const members = { depth: 1, closer: ")", value: {}, repairs: [] };
  for (const input of readMembers(search, start + whole.length, { place, mayEnd }, members)) {
    if (!place.fits(input.value) || !mayEnd(input.at)) {
      fail(search, input.at);
      continue;
    }
    const all = {
      ...open,
      value: [...value, { name, input: input.value }],
      repairs: [...repairs, ...input.repairs],
    };
    const { at: next } = search.text.skip(input.at);
    if (isList && search.text.text.charAt(next) === ",")
      yield* readCallsFrom(search, search.text.skipCommas(next).at, all);
    else
      yield {
        value: all.value,
        at: isList && search.text.text.charAt(next) === "]" ? next + 1 : input.at,
        repairs: all.repairs,
      };
  }
}

function onlyReading(search: Search, readings: Readings, looksCalled: LooksCalled, place?: Place): Guided {
  const meanings = new Map<string, Reading>();
  for (const reading of readings) {
    if (place?.fits(reading.value) !== false && !isTwice(reading))
      meanings.set(JSON.stringify(reading.value), reading);
    if (meanings.size > 1) return { at: search.forkedAt, why: "ambiguous" };
  }
  const [only] = meanings.values();
  if (only?.repairs.includes(SUSPECT) === true) return { at: search.forkedAt, why: "ambiguous" };
  if (only === undefined || isExhausted(search)) return { at: search.furthest, why: "unreadable" };
  if (hasSwallowedCall(only, looksCalled)) return { at: search.forkedAt, why: "ambiguous" };
  const { value, repairs, at: end } = only;
  return { value, repair: [...new Set(repairs)].join(", "), end, lacksQuote: repairs.includes(NO_QUOTE) };
}

/** Returns whether a quote and a bracket would have to be missing: where one of them ends is not certain. */
function isTwice({ repairs }: Reading): boolean {
  return repairs.includes(NO_QUOTE) && repairs.some((repair) => repair.startsWith("a bracket"));
}

/** Returns whether a text with a damaged end may go on into the next call: damage between two calls looks like that. */
function hasSwallowedCall({ value, repairs }: Reading, looksCalled: LooksCalled): boolean {
  if (!repairs.includes(QUOTED) && !repairs.includes(NO_QUOTE)) return false;
  const isIn = (part: Json): boolean =>
    typeof part === "string"
      ? looksCalled(part)
      : typeof part === "object" && part !== null && Object.values(part).some(isIn);
  return isIn(value);
}

function searchIn(text: string, writing: Writing): Search {
  const unescape = writing === "python" ? unescapePython : writing === "json" ? unescapeJson : String;
  return createSearch(new GuidedText(text, writing), unescape);
}

const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|(["'\\/bfnrt]))/g;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescapeJson(text: string): string {
  return text.replaceAll(ESCAPE, unescapeOne);
}

function unescapeOne(_: string, code?: string, char = ""): string {
  return code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16));
}

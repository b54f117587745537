import type { Json } from "../../../core/json.ts";
import { unescapePython } from "../../../util/json/repair-json.ts";
import { GuidedReader } from "./guided-reader.ts";
import {
  GuidedText,
  NO_QUOTE,
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

/** Reads what a damaged text means, if it has exactly one meaning that its place accepts. Never completes a text that was cut off. */
export function readGuided(text: string, place: Place, writing: Writing): Guided {
  const reader = createReader(text, writing);
  return onlyReading(reader, reader.whole(place), place);
}

/** The same for calls in Python notation: their names and inputs. */
export function readGuidedCalls(text: string, inputOf: (name: string) => Place | undefined): Guided {
  const reader = createReader(text, "python");
  return onlyReading(reader, reader.calls(inputOf), undefined);
}

function onlyReading(reader: GuidedReader, readings: Readings, place: Place | undefined): Guided {
  const meanings = new Map<string, Reading>();
  for (const reading of readings) {
    if (place?.fits(reading.value) !== false && !isTwice(reading))
      meanings.set(JSON.stringify(reading.value), reading);
    if (meanings.size > 1) return { at: reader.forkedAt, why: "ambiguous" };
  }
  const [only] = meanings.values();
  if (only?.repairs.includes(SUSPECT) === true) return { at: reader.forkedAt, why: "ambiguous" };
  if (only === undefined || reader.isExhausted) return { at: reader.furthest, why: "unreadable" };
  const { value, repairs, at: end } = only;
  return { value, repair: [...new Set(repairs)].join(", "), end, lacksQuote: repairs.includes(NO_QUOTE) };
}

/** Returns whether a quote and a bracket would have to be missing: where one of them ends is not certain. */
function isTwice({ repairs }: Reading): boolean {
  return repairs.includes(NO_QUOTE) && repairs.some((repair) => repair.startsWith("a bracket"));
}

function createReader(text: string, writing: Writing): GuidedReader {
  const unescape = writing === "python" ? unescapePython : writing === "json" ? unescapeJson : String;
  return new GuidedReader(new GuidedText(text, writing), unescape);
}

const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|(["'\\/bfnrt]))/g;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescapeJson(text: string): string {
  return text.replaceAll(ESCAPE, unescapeOne);
}

function unescapeOne(_: string, code?: string, char = ""): string {
  return code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16));
}

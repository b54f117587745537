import type { Json } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import {
  CALLED,
  constantOf,
  hasSwallowed,
  QUOTED,
  QUOTES,
  NO_QUOTE,
  SUSPECT,
  WORD,
  type Around,
  type ClosedText,
  type GuidedText,
  type MayEnd,
  type OpenCalls,
  type OpenList,
  type OpenObject,
  type Place,
  type Reading,
  type Readings,
  type TextPlace,
} from "./guided-text.ts";

/** A longer search is given up: then the text has no certain meaning. */
const MAX_STEPS = 1_000_000;
const MAX_DEPTH = 32;

/** Reads every meaning that a damaged text may have at its place. */
export class GuidedReader {
  readonly #text: GuidedText;
  readonly #unescape: (text: string) => string;
  #steps = 0;
  /** Where reading failed last. */
  furthest = 0;
  /** Where a text could have ended or not. */
  forkedAt = 0;

  constructor(text: GuidedText, unescape: (text: string) => string) {
    this.#text = text;
    this.#unescape = unescape;
  }

  get isExhausted(): boolean {
    return this.#steps + this.#text.skipped > MAX_STEPS;
  }

  *whole(place: Place): Readings {
    const { at } = this.#text.skip(0);
    const start = this.#text.text.startsWith("```", at) ? this.#text.text.indexOf("\n", at) + 1 : at;
    const isEnd: MayEnd = (end) => this.#text.isRest(end);
    for (const reading of this.#value(this.#text.skip(start).at, place, isEnd, { depth: 0 })) {
      const rest = this.#text.text.slice(reading.at).trim();
      if (!isEnd(reading.at)) this.#fail(reading.at);
      else yield rest === "" ? reading : withRepair(reading, "text after the input");
    }
  }

  *calls(inputOf: (name: string) => Place | undefined): Readings {
    const { at } = this.#text.skip(0);
    const isList = this.#text.text.charAt(at) === "[";
    yield* this.#calls(isList ? at + 1 : at, { isList, inputOf, value: [], repairs: [] });
  }

  *#calls(from: number, open: OpenCalls): Readings {
    const { isList, inputOf, value, repairs } = open;
    const { at: start } = this.#text.skip(from);
    const [whole, name = ""] = this.#text.match(CALLED, start) ?? [];
    const place = inputOf(name);
    if (whole === undefined || place === undefined) {
      this.#fail(start);
      return;
    }
    const mayEnd: MayEnd = (at) => {
      const { at: next } = this.#text.skip(at);
      if (isList && this.#text.text.charAt(next) === ",")
        return this.#text.match(CALLED, this.#text.skipCommas(next).at) !== undefined;
      return this.#text.isRest(next);
    };
    const members = { depth: 1, closer: ")", value: {}, repairs: [] };
    for (const input of this.#members(start + whole.length, place, mayEnd, members)) {
      if (!place.fits(input.value) || !mayEnd(input.at)) {
        this.#fail(input.at);
        continue;
      }
      const all = {
        ...open,
        value: [...value, { name, input: input.value }],
        repairs: [...repairs, ...input.repairs],
      };
      const { at: next } = this.#text.skip(input.at);
      if (isList && this.#text.text.charAt(next) === ",")
        yield* this.#calls(this.#text.skipCommas(next).at, all);
      else
        yield {
          value: all.value,
          at: isList && this.#text.text.charAt(next) === "]" ? next + 1 : input.at,
          repairs: all.repairs,
        };
    }
  }

  *#value(at: number, place: Place, mayEnd: MayEnd, { depth, mayHaveQuotes = false }: Around): Readings {
    if (!this.#isWithin(100) || depth > MAX_DEPTH) {
      this.#fail(at);
      return;
    }
    const char = this.#text.text.charAt(at);
    if (char === "{") {
      yield* this.#members(at + 1, place, mayEnd, { depth, closer: "}", value: {}, repairs: [] });
      return;
    }
    if (char === "[") {
      yield* this.#items(at + 1, place, mayEnd, { depth, value: [], repairs: [] });
      return;
    }
    const quotes = QUOTES.find(([open]) => this.#text.text.startsWith(open, at));
    if (quotes !== undefined) {
      yield* this.#string(at, quotes, { place, mayEnd, mayHaveQuotes });
      return;
    }
    const word = this.#text.match(WORD, at)?.[0];
    const constant = word === undefined ? undefined : constantOf(word);
    if (word === undefined || constant === undefined) {
      this.#fail(at);
      return;
    }
    yield { value: constant, at: at + word.length, repairs: [] };
  }

  /** Reads the members of an object, or the named arguments of a call. */
  *#members(from: number, place: Place, mayEnd: MayEnd, open: OpenObject): Readings {
    const { depth, closer, value, repairs } = open;
    const start = this.#text.skip(from);
    const before = start.hasComment ? [...repairs, "a comment"] : repairs;
    if (this.#text.text.startsWith(closer, start.at)) {
      yield {
        value,
        at: start.at + 1,
        repairs: hasSwallowed(value, place, before) ? [...before, SUSPECT] : before,
      };
      return;
    }
    // The list around it is closed.
    if (depth > 0 && closer === "}" && this.#text.text.charAt(start.at) === "]") {
      yield { value, at: start.at, repairs: [...before, "a bracket missing"] };
      return;
    }
    const key = this.#text.keyAt(start.at, place);
    const inner = key === undefined ? undefined : place.member(key.key, value);
    if (key === undefined || inner === undefined || Object.hasOwn(value, key.key)) {
      this.#fail(start.at);
      return;
    }
    const mayEndMember: MayEnd = (at) => this.#mayEndMember(at, place, { ...open, mayEnd });
    const around = { depth: depth + 1, mayHaveQuotes: place.keys !== undefined };
    for (const member of this.#value(this.#text.skip(key.at).at, inner, mayEndMember, around)) {
      const next = inner.fits(member.value) ? this.#separator(member.at, closer) : undefined;
      if (next === undefined) {
        this.#fail(member.at);
        continue;
      }
      const more: Record<string, Json> = { ...value };
      setOwn(more, key.key, member.value);
      const all = [...before, ...key.repairs, ...member.repairs, ...next.repairs];
      yield* this.#members(next.at, place, mayEnd, { ...open, value: more, repairs: all });
    }
  }

  /** Returns whether a member may end here: another one follows, or the end of the object where that may end. */
  #mayEndMember(
    at: number,
    place: Place,
    { closer, mayEnd }: { readonly closer: string; readonly mayEnd: MayEnd },
  ): ReturnType<MayEnd> {
    const { at: next } = this.#text.skip(at);
    if (this.#text.text.startsWith(closer, next)) return mayEnd(next + 1);
    if (closer === "}" && this.#text.text.charAt(next) === "]") return mayEnd(next);
    const isSeparated = this.#text.text.charAt(next) === "," || /\s/.test(this.#text.text.charAt(at));
    const after = this.#text.skipCommas(next).at;
    if (this.#text.text.startsWith(closer, after)) return mayEnd(after + 1);
    return isSeparated && this.#text.keyAt(after, place) !== undefined;
  }

  *#items(from: number, place: Place, mayEnd: MayEnd, open: OpenList): Readings {
    const { depth, value, repairs } = open;
    const start = this.#text.skip(from);
    const before = start.hasComment ? [...repairs, "a comment"] : repairs;
    if (this.#text.text.charAt(start.at) === "]") {
      yield { value, at: start.at + 1, repairs: before };
      return;
    }
    if (place.item === undefined) {
      this.#fail(start.at);
      return;
    }
    const mayEndItem: MayEnd = (end) => {
      const { at } = this.#text.skipBraces(end);
      const { at: next } = this.#text.skip(at);
      if (this.#text.text.charAt(next) === "]") return mayEnd(next + 1);
      // A comma may be missing.
      if (next > at && /["'“]/.test(this.#text.text.charAt(next))) return "maybe";
      return (
        this.#text.text.charAt(next) === "," &&
        /["'“`{[\d\-tfnTFN<\]\\]/.test(this.#text.text.charAt(this.#text.skipCommas(next).at))
      );
    };
    for (const item of this.#value(start.at, place.item, mayEndItem, { depth: depth + 1 })) {
      const next = this.#separator(item.at, "]");
      if (next === undefined) {
        this.#fail(item.at);
        continue;
      }
      const all = [...before, ...item.repairs, ...next.repairs];
      yield* this.#items(next.at, place, mayEnd, { depth, value: [...value, item.value], repairs: all });
    }
  }

  /**
   * Reads a text. Its first quote that something can follow closes it, unless a quote before that is part of the text: then every such
   * quote may close it, and the readings are compared.
   */
  *#string(at: number, [open, close]: readonly [string, string], text: TextPlace): Readings {
    const { place, mayEnd, mayHaveQuotes } = text;
    if (!place.mayBeText) return;
    const from = at + open.length;
    const repairs: string[] = open === "“" || open === "`" ? ["quotes"] : [];
    for (let end = from; end < this.#text.text.length && this.#isWithin(1); end += 1) {
      // Between special tokens, a backslash is a character like any other.
      if (open.length === 1 && this.#text.text.charAt(end) === "\\") {
        end += 1;
        continue;
      }
      if (!this.#text.text.startsWith(close, end)) {
        if (open.length === 1 && repairs.length === 0) yield* this.#withoutQuote(from, end, close, mayEnd);
        continue;
      }
      this.#steps += 50;
      const ends = mayEnd(end + close.length);
      const isCertain = ends === true && !repairs.includes(QUOTED);
      if (ends !== false) yield* this.#closed(from, end, { close, repairs, isCertain });
      // Between items, and keys that may be any, a quote may as well belong to damage between two texts.
      if (isCertain || !mayHaveQuotes) return;
      if (!repairs.includes(QUOTED)) repairs.push(QUOTED);
    }
    this.#fail(at);
  }

  *#closed(from: number, end: number, { close, repairs, isCertain }: ClosedText): Readings {
    if (!isCertain) this.forkedAt = end;
    const value = this.#unescape(this.#text.text.slice(from, end));
    yield { value, at: end + close.length, repairs };
  }

  *#withoutQuote(from: number, end: number, close: string, mayEnd: MayEnd): Readings {
    if (end === from || !this.#mayLackQuote(end, close) || mayEnd(end) === false) return;
    const value = this.#unescape(this.#text.text.slice(from, end));
    yield { value, at: end, repairs: [NO_QUOTE] };
  }

  /** Counts steps. Returns false after too many. */
  #isWithin(cost: number): boolean {
    this.#steps += cost;
    return !this.isExhausted;
  }

  /** Returns whether a text may end here without its quote. */
  #mayLackQuote(end: number, close: string): boolean {
    if (!",})".includes(this.#text.text.charAt(end))) return false;
    return this.#text.text.charAt(end - 1) !== close || this.#text.text.charAt(end - 2) === "\\";
  }

  /** Skips the comma after a value; undefined if something else follows. A comma may be missing where a line or space separates. */
  #separator(at: number, closer: string): { at: number; repairs: readonly string[] } | undefined {
    const braces = closer === "]" ? this.#text.skipBraces(at) : { at, count: 0 };
    const { at: next, hasComment } = this.#text.skip(braces.at);
    const comment = [
      ...(braces.count > 0 ? ["a bracket too many"] : []),
      ...(hasComment ? ["a comment"] : []),
    ];
    if (this.#text.text.startsWith(closer, next)) return { at: next, repairs: comment };
    const char = this.#text.text.charAt(next);
    if (closer === "}" && char === "]") return { at: next, repairs: comment };
    if (char !== ",")
      return next > braces.at ? { at: next, repairs: [...comment, "a comma missing"] } : undefined;
    const { at: after, count } = this.#text.skipCommas(next);
    return { at: after, repairs: count > 1 ? [...comment, "a comma too many"] : comment };
  }

  #fail(at: number): void {
    this.furthest = Math.max(this.furthest, at);
  }
}

function withRepair(reading: Reading, repair: string): Reading {
  return { ...reading, repairs: [...reading.repairs, repair] };
}

import type { Json } from "../../../core/json.ts";
import { setOwn } from "../../../util/json/set-own.ts";
import {
  constantOf,
  hasSwallowed,
  SUSPECT,
  WORD,
  type Around,
  type MayEnd,
  type OpenList,
  type OpenObject,
  type Place,
  type Reading,
  type Readings,
} from "./guided-text.ts";
import { fail, readString, isWithin, type Search } from "./guided-search.ts";

const MAX_DEPTH = 32;

/** Reads every meaning that the whole text may have at its place. */
export function* readWhole(search: Search, place: Place): Readings {
  const { at } = search.text.skip(0);
  const start = search.text.text.startsWith("```", at) ? search.text.text.indexOf("\n", at) + 1 : at;
  const isEnd: MayEnd = (end) => search.text.isRest(end);
  for (const reading of readValue(
    search,
    search.text.skip(start).at,
    { place, mayEnd: isEnd },
    { depth: 0 },
  )) {
    const rest = search.text.text.slice(reading.at).trim();
    if (!isEnd(reading.at)) fail(search, reading.at);
    else yield rest === "" ? reading : withRepair(reading, "text after the input");
  }
}

/** What a value must be, and where it may end. */
interface ValuePlace {
  readonly place: Place;
  readonly mayEnd: MayEnd;
}

function* readValue(
  search: Search,
  at: number,
  { place, mayEnd }: ValuePlace,
  { depth, mayHaveQuotes = false }: Around,
): Readings {
  if (!isWithin(search, 100) || depth > MAX_DEPTH) {
    fail(search, at);
    return;
  }
  const char = search.text.text.charAt(at);
  if (char === "{") {
    yield* readMembers(search, at + 1, { place, mayEnd }, { depth, closer: "}", value: {}, repairs: [] });
    return;
  }
  if (char === "[") {
    yield* readItems(search, at + 1, { place, mayEnd }, { depth, value: [], repairs: [] });
    return;
  }
  const quotes = search.text.quotesAt(at);
  if (quotes !== undefined) {
    yield* readString(search, at, quotes, { place, mayEnd, mayHaveQuotes });
    return;
  }
  const word = search.text.match(WORD, at)?.[0];
  const constant = word === undefined ? undefined : constantOf(word);
  if (word === undefined || constant === undefined) {
    fail(search, at);
    return;
  }
  yield { value: constant, at: at + word.length, repairs: [] };
}

/** Reads the members of an object, or the named arguments of a call. */
export function* readMembers(
  search: Search,
  from: number,
  { place, mayEnd }: ValuePlace,
  open: OpenObject,
): Readings {
  const { depth, closer, value, repairs } = open;
  const start = search.text.skip(from);
  const before = start.hasComment ? [...repairs, "a comment"] : repairs;
  if (search.text.text.startsWith(closer, start.at)) {
    yield {
      value,
      at: start.at + 1,
      repairs: hasSwallowed(value, place, before) ? [...before, SUSPECT] : before,
    };
    return;
  }
  // The list around it is closed.
  if (depth > 0 && closer === "}" && search.text.text.charAt(start.at) === "]") {
    yield { value, at: start.at, repairs: [...before, "a bracket missing"] };
    return;
  }
  const key = search.text.keyAt(start.at, place);
  const inner = key === undefined ? undefined : place.member(key.key, value);
  if (key === undefined || inner === undefined || Object.hasOwn(value, key.key)) {
    fail(search, start.at);
    return;
  }
  const isMemberEnd: MayEnd = (at) => mayEndMember(search, at, place, { ...open, mayEnd });
  const around = { depth: depth + 1, mayHaveQuotes: place.keys !== undefined };
  for (const member of readValue(
    search,
    search.text.skip(key.at).at,
    { place: inner, mayEnd: isMemberEnd },
    around,
  )) {
    const next = inner.fits(member.value) ? separatorAt(search, member.at, closer) : undefined;
    if (next === undefined) {
      fail(search, member.at);
      continue;
    }
    const more: Record<string, Json> = { ...value };
    setOwn(more, key.key, member.value);
    const all = [...before, ...key.repairs, ...member.repairs, ...next.repairs];
    yield* readMembers(search, next.at, { place, mayEnd }, { ...open, value: more, repairs: all });
  }
}

/** Returns whether a member may end here: another one follows, or the end of the object where that may end. */
function mayEndMember(
  search: Search,
  at: number,
  place: Place,
  { closer, mayEnd }: { readonly closer: string; readonly mayEnd: MayEnd },
): ReturnType<MayEnd> {
  const { at: next } = search.text.skip(at);
  if (search.text.text.startsWith(closer, next)) return mayEnd(next + 1);
  if (closer === "}" && search.text.text.charAt(next) === "]") return mayEnd(next);
  const isSeparated = search.text.text.charAt(next) === "," || /\s/.test(search.text.text.charAt(at));
  const after = search.text.skipCommas(next).at;
  if (search.text.text.startsWith(closer, after)) return mayEnd(after + 1);
  return isSeparated && search.text.keyAt(after, place) !== undefined;
}

function* readItems(search: Search, from: number, { place, mayEnd }: ValuePlace, open: OpenList): Readings {
  const { depth, value, repairs } = open;
  const start = search.text.skip(from);
  const before = start.hasComment ? [...repairs, "a comment"] : repairs;
  if (search.text.text.charAt(start.at) === "]") {
    yield { value, at: start.at + 1, repairs: before };
    return;
  }
  if (place.item === undefined) {
    fail(search, start.at);
    return;
  }
  const mayEndItem: MayEnd = (end) => {
    const { at } = search.text.skipBraces(end);
    const { at: next } = search.text.skip(at);
    if (search.text.text.charAt(next) === "]") return mayEnd(next + 1);
    // A comma may be missing.
    if (next > at && /["'“]/.test(search.text.text.charAt(next))) return "maybe";
    return (
      search.text.text.charAt(next) === "," &&
      /["'“`{[\d\-tfnTFN<\]\\]/.test(search.text.text.charAt(search.text.skipCommas(next).at))
    );
  };
  for (const item of readValue(
    search,
    start.at,
    { place: place.item, mayEnd: mayEndItem },
    { depth: depth + 1 },
  )) {
    const next = separatorAt(search, item.at, "]");
    if (next === undefined) {
      fail(search, item.at);
      continue;
    }
    const all = [...before, ...item.repairs, ...next.repairs];
    yield* readItems(
      search,
      next.at,
      { place, mayEnd },
      { depth, value: [...value, item.value], repairs: all },
    );
  }
}

/** Skips the comma after a value; undefined if something else follows. A comma may be missing where a line or space separates. */
function separatorAt(
  search: Search,
  at: number,
  closer: string,
): { at: number; repairs: readonly string[] } | undefined {
  const braces = closer === "]" ? search.text.skipBraces(at) : { at, count: 0 };
  const { at: next, hasComment } = search.text.skip(braces.at);
  const comment = [...(braces.count > 0 ? ["a bracket too many"] : []), ...(hasComment ? ["a comment"] : [])];
  if (search.text.text.startsWith(closer, next)) return { at: next, repairs: comment };
  const char = search.text.text.charAt(next);
  if (closer === "}" && char === "]") return { at: next, repairs: comment };
  if (char !== ",")
    return next > braces.at ? { at: next, repairs: [...comment, "a comma missing"] } : undefined;
  const { at: after, count } = search.text.skipCommas(next);
  return { at: after, repairs: count > 1 ? [...comment, "a comma too many"] : comment };
}

function withRepair(reading: Reading, repair: string): Reading {
  return { ...reading, repairs: [...reading.repairs, repair] };
}

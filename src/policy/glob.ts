import { expandBraces } from "./expand-braces.ts";
import type { NamePattern } from "./match-name.ts";
import { compileName } from "./match-name.ts";

/** The pattern of one name, or any number of names. */
export type Segment = "**" | NamePattern;

/** The segments of a pattern, one list for each alternative of its braces. Throws `INVALID_INPUT` on one that cannot be read. */
export function parseGlob(pattern: string): readonly (readonly Segment[])[] {
  return expandBraces(pattern).map((one) =>
    one
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .map((part) => (part === "**" ? part : compileName(part))),
  );
}

/** True where the segments stand for exactly these names. */
export function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let [segment, name, afterStars, resume] = [0, 0, -1, 0];
  while (name < names.length) {
    const wanted = segments[segment];
    if (wanted === "**") {
      segment += 1;
      [afterStars, resume] = [segment, name];
    } else if (wanted !== undefined && isMeant(wanted, names[name] ?? "")) {
      segment += 1;
      name += 1;
    } else {
      if (afterStars < 0) return false;
      resume += 1;
      [segment, name] = [afterStars, resume];
    }
  }
  while (segments[segment] === "**") segment += 1;
  return segment === segments.length;
}

/** Most names are literal: comparing them here is cheaper than asking. */
function isMeant({ literal, matches }: NamePattern, name: string): boolean {
  return literal === undefined ? matches(name) : literal === name;
}

/** True where something below the folder of these names could match. */
export function mayMatchBelow(segments: readonly Segment[], folder: readonly string[]): boolean {
  let places = new Set([0]);
  for (const name of folder) {
    const next = new Set<number>();
    for (const place of withSkips(segments, places)) {
      const wanted = segments[place];
      if (wanted === "**") next.add(place);
      else if (wanted?.matches(name) === true) next.add(place + 1);
    }
    places = next;
  }
  return [...places].some((place) => place < segments.length);
}

/** `**` may stand for nothing: what comes behind it is reached too. */
function withSkips(segments: readonly Segment[], places: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set(places);
  for (const place of reached) if (segments[place] === "**") reached.add(place + 1);
  return reached;
}

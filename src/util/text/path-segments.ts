import type { NamePattern } from "./name-pattern.ts";

/** A pattern for one name, or `**` for any number of names. */
export type Segment = "**" | NamePattern;

/** Returns true if the segments match all the names. Takes at most the product of both lengths. */
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

/** Most names are literal: comparing them here is cheaper than a call. */
function isMeant({ literal, matches }: NamePattern, name: string): boolean {
  return literal === undefined ? matches(name) : literal === name;
}

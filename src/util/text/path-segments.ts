import type { NamePattern } from "./name-pattern.ts";

/** The pattern of one name, or any number of names. */
export type Segment = "**" | NamePattern;

/** True where the segments stand for exactly these names. Takes no more than the product of both lengths. */
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

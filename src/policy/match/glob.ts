import { expandBraces } from "../../util/text/expand-braces.ts";
import { compileName } from "../../util/text/name-pattern.ts";
import type { Segment } from "../../util/text/path-segments.ts";

/** Every path of a call is compared with each of them. */
const MAX_ALTERNATIVES = 256;

/** Parses a pattern into segments, one list per brace alternative. Throws `INVALID_INPUT` if it is invalid. */
export function parseGlob(pattern: string): readonly (readonly Segment[])[] {
  return expandBraces(pattern, MAX_ALTERNATIVES).map((one) =>
    one
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      // A valid range may be reversed after case folding: `[Z-a]`.
      .map((part) => (part === "**" ? part : compileName(part, { mayBeReversed: true }))),
  );
}

/** Returns true if a path below the folder could match. From `**` on, any could. */
export function mayMatchBelow(segments: readonly Segment[], folder: readonly string[]): boolean {
  let places = new Set([0]);
  for (const name of folder) {
    const next = new Set<number>();
    for (const place of places) {
      const wanted = segments[place];
      if (wanted === "**") next.add(place);
      else if (wanted?.matches(name) === true) next.add(place + 1);
    }
    places = next;
  }
  return [...places].some((place) => place < segments.length);
}

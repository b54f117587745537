import { expandBraces } from "../../util/text/expand-braces.ts";
import { compileName } from "../../util/text/name-pattern.ts";
import type { Segment } from "../../util/text/path-segments.ts";

/** Every path of a call is held against each of them. */
const MAX_ALTERNATIVES = 256;

/** The segments of a pattern, one list for each alternative of its braces. Throws `INVALID_INPUT` on one that cannot be read. */
export function parseGlob(pattern: string): readonly (readonly Segment[])[] {
  return expandBraces(pattern, MAX_ALTERNATIVES).map((one) =>
    one
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      // A range that runs forwards may run backwards once its letters are folded: `[Z-a]`.
      .map((part) => (part === "**" ? part : compileName(part, { mayRunBackwards: true }))),
  );
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

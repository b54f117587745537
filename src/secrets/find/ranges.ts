/** A place in a text: from its start to before its end. */
export type Range = readonly [start: number, end: number];

/** Replaces a secret. Unusual on purpose: an input that contains it was copied from a masked answer. */
export const MASK = "⟦masked⟧";

/** Replaces ranges of a text, in order, with masks. */
export function maskRanges(text: string, ranges: readonly Range[] | undefined): string {
  if (ranges === undefined) return text;
  let masked = "";
  let done = 0;
  for (const [start, end] of ranges) {
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}

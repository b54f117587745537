import { maskRanges, type Range } from "./find/ranges.ts";
import { headOf, tailOf } from "../util/text/text-ends.ts";

type Find = (text: string) => readonly Range[] | undefined;

/** How much of a text next to a cut is searched for secrets: a token, and a value with its name, are shorter. */
export const CUT_CONTEXT = 4096;

/** Returns the first bytes of a text like `headOf`, with secrets masked that are found in it and behind the cut. */
export function maskedHead(text: string, bytes: number, find: Find | undefined): string {
  return maskedPart(text, [0, headOf(text, bytes).length], find);
}

/** Returns the last bytes of a text like `tailOf`, with secrets masked that are found in it and before the cut. */
export function maskedTail(text: string, bytes: number, find: Find | undefined): string {
  return maskedPart(text, [text.length - tailOf(text, bytes).length, text.length], find);
}

/** Returns a part of a text, with secrets masked that are found in it and near its ends; one at a cut is masked whole. */
export function maskedPart(text: string, [start, end]: Range, find: Find | undefined): string {
  const from = Math.max(0, start - CUT_CONTEXT);
  const ranges = find?.(text.slice(from, end + CUT_CONTEXT)) ?? [];
  const own = ranges.flatMap(([first, last]): Range[] => {
    const range: Range = [Math.max(first + from, start) - start, Math.min(last + from, end) - start];
    return range[0] < range[1] ? [range] : [];
  });
  return maskRanges(text.slice(start, end), own);
}

/** Returns a text that fits unchanged, else its two ends, masked: the reason of a failure is mostly in the last line. */
export function bothEnds(text: string, bytes: number, find: Find | undefined): string {
  if (text.length <= bytes && Buffer.byteLength(text) <= bytes) return text;
  const [head, tail] = [headOf(text, bytes / 2).length, tailOf(text, bytes / 2).length];
  const ends = [maskedPart(text, [0, head], find), maskedPart(text, [text.length - tail, text.length], find)];
  return `${ends[0]?.trimEnd()}\n[${text.length - head - tail} characters left out]\n${ends[1]}`;
}

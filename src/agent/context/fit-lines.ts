import { shortened } from "../../util/text/shortened.ts";
import { estimateText } from "./estimate-text.ts";

/** The share of the room for the first lines. */
const HEAD_SHARE = 0.3;
const NOTICE_TOKENS = 12;

/** Returns lines within a number of tokens: if there are too many, the first and the last with a count of the others. */
export function fitLines(lines: readonly string[], maxTokens: number): readonly string[] {
  if (estimateText(lines.join("\n")) <= maxTokens) return lines;
  const room = maxTokens - NOTICE_TOKENS;
  if (room <= 0) return [];
  const head = takeWhile(lines, room * HEAD_SHARE);
  const used = estimateText(head.join("\n"));
  const tail = takeWhile(lines.slice(head.length).toReversed(), room - used).toReversed();
  const between = lines.length - head.length - tail.length;
  const kept = [...head, `[${between} ${between === 1 ? "line" : "lines"} left out]`, ...tail];
  // A single line may be longer than the whole room.
  if (head.length + tail.length > 0) return kept;
  return [shortened(lines.at(-1) ?? "", room)];
}

function takeWhile(lines: readonly string[], maxTokens: number): readonly string[] {
  let room = maxTokens;
  const end = lines.findIndex((line) => (room -= estimateText(line) + 1) < 0);
  return end < 0 ? lines : lines.slice(0, end);
}

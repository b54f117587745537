import { shortened } from "../../util/text/shortened.ts";
import { estimateText } from "./estimate-text.ts";

/** How much of the room the first lines get: they say what it is about, and the last where it stands. */
const HEAD_SHARE = 0.3;
const NOTICE_TOKENS = 12;

/** Lines that take no more than so many tokens: where they are too many, the first and the last, and how many are between. */
export function fitLines(lines: readonly string[], maxTokens: number): readonly string[] {
  if (estimateText(lines.join("\n")) <= maxTokens) return lines;
  const room = maxTokens - NOTICE_TOKENS;
  if (room <= 0) return [];
  const head = takeWhile(lines, room * HEAD_SHARE);
  const used = estimateText(head.join("\n"));
  const tail = takeWhile(lines.slice(head.length).toReversed(), room - used).toReversed();
  const between = lines.length - head.length - tail.length;
  const kept = [...head, `[${between} ${between === 1 ? "line" : "lines"} left out]`, ...tail];
  // A single line may be longer than all the room.
  if (head.length + tail.length > 0) return kept;
  return [shortened(lines.at(-1) ?? "", room)];
}

function takeWhile(lines: readonly string[], maxTokens: number): readonly string[] {
  let room = maxTokens;
  const end = lines.findIndex((line) => (room -= estimateText(line) + 1) < 0);
  return end < 0 ? lines : lines.slice(0, end);
}

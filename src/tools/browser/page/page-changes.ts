import { counted } from "../../../util/text/words.ts";
import { render, type Line } from "./page-tree.ts";

/** Changes that take more are cut: the page itself is shorter then. */
const MAX_BYTES = 3000;

/**
 * Returns how a page differs from what it was, a line for each element or text: `+` is new, `~` has changed and `-` is gone. Where the focus is counts as
 * no change. Empty if there is none.
 */
export function describeChanges(before: readonly Line[], after: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { text } of before) counts.set(withoutFocus(text), (counts.get(withoutFocus(text)) ?? 0) + 1);
  const numbers = new Set(before.map(({ text }) => numberOf(text)));
  const fresh = after.filter(({ text }) => !take(counts, withoutFocus(text)));
  const changed = new Set(fresh.map(({ text }) => numberOf(text)));
  const gone = before.filter(({ text }) => {
    const isLeft = take(counts, withoutFocus(text));
    return isLeft && !changed.has(numberOf(text) ?? "none");
  });
  const lines = [
    ...fresh.map((line) => `${numbers.has(numberOf(line.text) ?? "none") ? "~" : "+"} ${render(line)}`),
    ...gone.map((line) => `- ${render(line)}`),
  ];
  return cut(lines);
}

/** Removes one of a text from the counts; false if there is none. */
function take(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0;
  if (count > 0) counts.set(text, count - 1);
  return count > 0;
}

function withoutFocus(text: string): string {
  return text.replace(/ \(focused\)|, focused(?=\))|(?<=\()focused, /, "");
}

function numberOf(text: string): string | undefined {
  return /^\[(\d+)\]/.exec(text)?.[1];
}

function cut(lines: readonly string[]): string {
  const parts: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES) break;
    parts.push(line);
  }
  const more = lines.length - parts.length;
  const notice = `[${counted(more, "more change")}; get_page shows the page]`;
  return [...parts, ...(more === 0 ? [] : [notice])].join("\n");
}

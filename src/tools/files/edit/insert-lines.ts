import { ToolError } from "../../../core/errors.ts";

/** Inserts lines after a line; 0 is the beginning. Preserves line ends and a missing final newline. */
export function insertLines(text: string, afterLine: number, lines: string): string {
  const end = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
  const isEnded = text === "" || text.endsWith("\n");
  const present = text === "" ? [] : (isEnded ? text.slice(0, -end.length) : text).split(end);
  const count = present.length;
  if (afterLine > count)
    throw new ToolError(
      "TOOL_FAILED",
      `line ${afterLine} does not exist: the file has ${count} lines; nothing was changed`,
      { hint: `give insert_line a number from 0 to ${count}`, details: { lines: count } },
    );
  const added = lines.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const all = [...present.slice(0, afterLine), ...added, ...present.slice(afterLine)];
  return all.join(end) + (isEnded ? end : "");
}

import { ToolError } from "../../../core/errors.ts";

/** Puts lines behind a line of a text; 0 is its beginning. The text's line ends and its missing last one are kept. */
export function insertLines(text: string, afterLine: number, lines: string): string {
  const end = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
  const isEnded = text === "" || text.endsWith("\n");
  const present = text === "" ? [] : (isEnded ? text.slice(0, -end.length) : text).split(end);
  if (afterLine > present.length) throw beyond(afterLine, present.length);
  const added = lines.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const all = [...present.slice(0, afterLine), ...added, ...present.slice(afterLine)];
  return all.join(end) + (isEnded ? end : "");
}

function beyond(line: number, count: number): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `there is no line ${line}: the file has ${count}; nothing was changed`,
    {
      hint: `give insert_line a number from 0 to ${count}`,
      details: { lines: count },
    },
  );
}

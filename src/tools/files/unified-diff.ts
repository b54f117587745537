const CONTEXT_LINES = 3;
/** Finding the smallest difference of two long texts can take minutes; a larger one is as true. */
const MAX_MS = 500;

/** The difference of two texts in unified form; empty where there is none. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  if (before === after) return "";
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const options = { context: CONTEXT_LINES, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    ...options,
    timeout: MAX_MS,
  });
  return patch ?? `--- a/${path}\n+++ b/${path}\n[the difference is too large to show]\n`;
}

const MAX_SHOWN_LINES = 60;

/** The beginning of a difference, for the text of an answer. */
export function shortDiff(diff: string): string {
  const lines = diff.split("\n");
  if (lines.length <= MAX_SHOWN_LINES) return diff;
  const rest = lines.length - MAX_SHOWN_LINES;
  return `${lines.slice(0, MAX_SHOWN_LINES).join("\n")}\n[${rest} more lines of the diff]`;
}

const CONTEXT_LINES = 3;
/** Finding the smallest difference of two long texts can take minutes; a larger one is as true. */
const MAX_MS = 500;

/** The names in the head of a difference; undefined stands for no file. */
export interface DiffNames {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The difference of two texts in unified form; empty where there is none. */
export async function unifiedDiff(
  path: string,
  before: string,
  after: string,
  { from, to }: DiffNames = { from: path, to: path },
): Promise<string> {
  if (before === after) return "";
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const [oldName, newName] = [
    from === undefined ? "/dev/null" : `a/${from}`,
    to === undefined ? "/dev/null" : `b/${to}`,
  ];
  const patch = createTwoFilesPatch(oldName, newName, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
    timeout: MAX_MS,
  });
  return patch ?? `--- ${oldName}\n+++ ${newName}\n[the difference is too large to show]\n`;
}

const MAX_SHOWN_LINES = 60;

/** The beginning of a difference, for the text of an answer. */
export function shortDiff(diff: string): string {
  const lines = diff.split("\n");
  if (lines.length <= MAX_SHOWN_LINES) return diff;
  const rest = lines.length - MAX_SHOWN_LINES;
  return `${lines.slice(0, MAX_SHOWN_LINES).join("\n")}\n[${rest} more lines of the diff]`;
}

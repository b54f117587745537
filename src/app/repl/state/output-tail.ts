import type { Progress } from "../../../core/context.ts";

const MAX_LINES = 500;
const MAX_LINE_CHARACTERS = 2000;

export interface OutputLine {
  /** Unsanitised: an escape sequence may arrive in pieces, so the view sanitises whole lines. */
  readonly text: string;
  readonly isError: boolean;
}

/** The last lines of a running call's output. */
export interface OutputTail {
  readonly lines: readonly OutputLine[];
  /** How many earlier lines were dropped. */
  readonly dropped: number;
  /** True while the last line may grow. */
  readonly isOpen: boolean;
}

export const EMPTY_OUTPUT: OutputTail = { lines: [], dropped: 0, isOpen: false };

/** Appends a call's progress to its output. */
export function addOutput(tail: OutputTail, progress: Progress): OutputTail {
  if (typeof progress === "string") return addLines(tail, { text: progress, isError: false, isWhole: true });
  if ("stream" in progress) {
    return addLines(tail, { text: progress.text, isError: progress.stream === "stderr", isWhole: false });
  }
  const text = describe(progress);
  return text === "" ? tail : addLines(tail, { text, isError: false, isWhole: true });
}

function describe({ message = "", done, total }: Exclude<Progress, string | { stream: string }>): string {
  if (done === undefined) return message;
  const count = total === undefined ? `${done}` : `${done}/${total}`;
  return message === "" ? count : `${message} (${count})`;
}

interface Addition extends OutputLine {
  /** True for a line of its own, with or without a line feed. */
  readonly isWhole: boolean;
}

function addLines({ lines, dropped, isOpen }: OutputTail, { text, isError, isWhole }: Addition): OutputTail {
  const added = text.split(/\r\n|\n|\r/);
  const endsOpen = !isWhole && added.at(-1) !== "";
  if (added.at(-1) === "") added.pop();
  const last = lines.at(-1);
  const joins = isOpen && !isWhole && last?.isError === isError;
  const grown = joins ? [...lines.slice(0, -1), bounded(last.text + (added.shift() ?? ""), isError)] : lines;
  const all = [...grown, ...added.map((line) => bounded(line, isError))];
  const lastLines = all.slice(-MAX_LINES);
  return { lines: lastLines, dropped: dropped + all.length - lastLines.length, isOpen: endsOpen };
}

function bounded(text: string, isError: boolean): OutputLine {
  return { text: text.slice(0, MAX_LINE_CHARACTERS), isError };
}

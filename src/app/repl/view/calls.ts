import type { LiveCall } from "../state/repl-state.ts";
import { spinnerAt } from "../../terminal/print/progress-line.ts";
import type { OutputLine } from "../state/output-tail.ts";
import { plain, plainLine } from "../text/plain.ts";
import { childMark, secondsOf } from "./call.ts";
import { cut, wrap, type Sheet } from "./rows.ts";

const COLLAPSED_LINES = 5;

export interface CallsView extends Sheet {
  /** As `performance.now()` returns it. */
  readonly now: number;
  readonly isExpanded: boolean;
}

/** Returns the rows of a call without an answer: its name, its running time and the end of its output. */
export function callRows(call: LiveCall, view: CallsView): readonly string[] {
  const { width, now, paint } = view;
  const { name, summary, phase, startedAt, isOfChild, agent, note } = call;
  const [mark, status] = {
    running: [spinnerAt(now), secondsOf(now - startedAt)],
    asking: ["?", "waiting for you"],
    waiting: ["·", "waits"],
  }[phase] as [string, string];
  const head =
    paint("yellow", `${isOfChild ? childMark(agent) : ""}${mark} `) +
    paint("bold", plainLine(name)) +
    paint("dim", ` ${status}`) +
    (summary === "" ? "" : `  ${summary}`) +
    (note === undefined ? "" : paint("yellow", `  ${note}`));
  return [cut(head, width), ...outputRows(call, view)];
}

function outputRows({ output, isOfChild }: LiveCall, view: CallsView): readonly string[] {
  const { width, isExpanded, paint } = view;
  const { lines, dropped } = output;
  const visibleLines = isExpanded ? lines : lines.slice(isOfChild ? -1 : -COLLAPSED_LINES);
  const hidden = lines.length - visibleLines.length + dropped;
  const hint = isExpanded ? "" : `, Ctrl-O shows ${lines.length === 1 ? "it" : "them"}`;
  return [
    ...(hidden === 0 ? [] : [cut(paint("dim", `  … ${hidden} more${hint}`), width)]),
    ...visibleLines.flatMap((line) => outputRow(line, view)),
  ];
}

/** Standard error has its own mark, so that it is visible without colour. */
function outputRow(
  { text, isError }: OutputLine,
  { width, isExpanded, paint }: CallsView,
): readonly string[] {
  const mark = isError ? paint("red", "  ! ") : paint("dim", "  │ ");
  const row = paint(isError ? "red" : "dim", plain(text).replaceAll("\n", " "));
  return isExpanded ? wrap(row, width, mark, mark) : [cut(mark + row, width)];
}

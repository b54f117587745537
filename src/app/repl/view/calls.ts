import type { LiveCall } from "../state/repl-state.ts";
import type { OutputLine } from "../state/output-tail.ts";
import { cutLine, line, span, wrap, type Line } from "../text/line.ts";
import { plain, plainLine } from "../text/plain.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const COLLAPSED_LINES = 5;

export interface CallsView {
  readonly width: number;
  /** As `performance.now()` returns it. */
  readonly now: number;
  readonly isExpanded: boolean;
}

/** Returns the frame of the spinner at a time. */
export function spinnerAt(now: number): string {
  return FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "";
}

/** Returns the rows of a call without an answer: its name, its running time and the end of its output. */
export function callLines(call: LiveCall, view: CallsView): readonly Line[] {
  const { width, now } = view;
  const { name, summary, phase, startedAt, isOfChild, note } = call;
  const mark = phase === "running" ? spinnerAt(now) : phase === "asking" ? "?" : "·";
  const status =
    phase === "running" ? secondsOf(now - startedAt) : phase === "asking" ? "waits for you" : "waits";
  const head = [
    span(`${isOfChild ? "  ↳ " : ""}${mark} `, { colour: "yellow" }),
    span(plainLine(name), { bold: true }),
    span(` ${status}`, { dim: true }),
    span(summary === "" ? "" : `  ${summary}`),
    span(note === undefined ? "" : `  ${note}`, { colour: "yellow" }),
  ];
  return [cutLine(head, width), ...outputLines(call, view)];
}

function outputLines({ output, isOfChild }: LiveCall, { width, isExpanded }: CallsView): readonly Line[] {
  const { lines, dropped } = output;
  if (!isExpanded) {
    const shown = lines.slice(isOfChild ? -1 : -COLLAPSED_LINES);
    const hidden = lines.length - shown.length + dropped;
    const more =
      hidden === 0
        ? []
        : [line(`  … ${hidden} more, Ctrl-O shows ${lines.length === 1 ? "it" : "them"}`, { dim: true })];
    return [
      ...more.map((one) => cutLine(one, width)),
      ...shown.map((one) => cutLine(outputLine(one), width)),
    ];
  }
  const more = dropped === 0 ? [] : [line(`  … ${dropped} more`, { dim: true })];
  return [...more, ...lines.flatMap((one) => wrapOutput(one, width))];
}

/** Standard error has its own mark, so that it is visible without colour. */
function markOf({ isError }: OutputLine): Line {
  return isError ? line("  ! ", { colour: "red" }) : line("  │ ", { dim: true });
}

function outputLine(row: OutputLine): Line {
  return [
    ...markOf(row),
    span(plain(row.text).replaceAll("\n", " "), row.isError ? { colour: "red" } : { dim: true }),
  ];
}

function wrapOutput(row: OutputLine, width: number): readonly Line[] {
  const mark = markOf(row);
  return wrap([span(plain(row.text).replaceAll("\n", " "))], { width, first: mark, next: mark });
}

/** Formats a duration. */
export function secondsOf(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

import type { Event, Listener } from "../../../core/events.ts";
import type { Progress } from "../../../core/context.ts";
import { sanitize } from "../../../util/text/sanitize.ts";

const QUIET_MS = 300;
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const CLEAR = "\r\u{1b}[2K";
const MAX_TAIL = 400;

/** Draws a progress line for a longer call: a spinner, the elapsed time, the last line of output. */
export function createProgressLine(terminal: NodeJS.WriteStream): { readonly hear: Listener; close(): void } {
  let running: { readonly name: string; readonly startedAt: number; tail: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  const draw = (): void => {
    if (running === undefined) return;
    const elapsedMs = performance.now() - running.startedAt;
    if (elapsedMs < QUIET_MS) return;
    const frame = FRAMES[Math.floor(elapsedMs / FRAME_MS) % FRAMES.length] ?? "";
    const line = `${frame} ${running.name} ${(elapsedMs / 1000).toFixed(1)} s  ${running.tail}`;
    terminal.write(CLEAR + line.slice(0, Math.max(10, (terminal.columns || 80) - 1)));
    isShown = true;
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    running = undefined;
    if (isShown) terminal.write(CLEAR);
    isShown = false;
  };
  const start = (name: string): void => {
    stop();
    running = { name, startedAt: performance.now(), tail: "" };
    timer = setInterval(draw, FRAME_MS);
  };
  const hear = (event: Event): void => {
    if (event.type === "call.started") start(event.name);
    else if (event.type === "call.answered" || event.type === "approval.asked") stop();
    else if (event.type === "call.progressed" && running !== undefined) {
      running.tail = lastLine(running.tail, event.progress);
    }
  };
  return { hear, close: stop };
}

/** Returns the last line that is not blank. */
function lastLine(before: string, progress: Progress): string {
  const text =
    typeof progress === "string" ? progress : "text" in progress ? progress.text : (progress.message ?? "");
  const lines = sanitize(text.slice(-MAX_TAIL)).split("\n");
  return lines.findLast((line) => line.trim() !== "")?.trim() ?? before;
}

import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { EngineEvent } from "../../../core/events.ts";
import type { Progress } from "../../../core/context.ts";
import { sanitize } from "../../../util/text/sanitize.ts";
import type { Output } from "./output.ts";

const QUIET_MS = 300;
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const MAX_TAIL = 400;
/** Stands for the request to the model among the running calls. */
const MODEL = "model";

interface Running {
  readonly name: string;
  readonly startedAt: number;
  tail: string;
}

/** Returns the frame of the spinner at a time. */
export function spinnerAt(milliseconds: number): string {
  return FRAMES[Math.floor(milliseconds / FRAME_MS) % FRAMES.length] ?? "";
}

/**
 * Draws a progress line while calls run or the model thinks: a spinner, the elapsed time and the last line of output of what was started
 * last. Draws nothing while a question is open.
 */
export function createProgressLine({ status }: Pick<Output, "status">) {
  const running = new Map<string, Running>();
  const questions = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const last = [...running.values()].at(-1);
    if (last === undefined || questions.size > 0) return;
    const elapsedMs = performance.now() - last.startedAt;
    if (elapsedMs < QUIET_MS) return;
    const others = running.size > 1 ? ` (+${running.size - 1})` : "";
    status(`${spinnerAt(elapsedMs)} ${last.name} ${(elapsedMs / 1000).toFixed(1)} s${others}  ${last.tail}`);
  };
  const start = (id: string, name: string): void => {
    running.set(id, { name, startedAt: performance.now(), tail: "" });
    timer ??= setInterval(draw, FRAME_MS);
  };
  const stop = (id: string): void => {
    if (!running.delete(id)) return;
    status("");
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const hear = (event: EngineEvent | AgentEvent): void => {
    switch (event.type) {
      case "turn.started":
        return start(MODEL + event.session, "thinking");
      case "model.text":
      case "turn.ended":
      case "agent.failed":
        return stop(MODEL + event.session);
      case "call.started":
        return start(event.callId, event.name);
      case "call.answered":
        return stop(event.callId);
      case "approval.asked":
        questions.add(event.callId);
        return status("");
      case "approval.answered":
        return void questions.delete(event.callId);
      case "call.progressed": {
        const call = running.get(event.callId);
        if (call !== undefined) call.tail = lastLine(call.tail, event.progress);
        return;
      }
      default:
    }
  };
  return {
    hear,
    close: (): void => {
      for (const id of running.keys()) stop(id);
    },
  };
}

/** Returns the last line that is not blank. */
function lastLine(before: string, progress: Progress): string {
  const text =
    typeof progress === "string" ? progress : "text" in progress ? progress.text : (progress.message ?? "");
  const lines = sanitize(text.slice(-MAX_TAIL)).split("\n");
  return lines.findLast((line) => line.trim() !== "")?.trim() ?? before;
}

import type { Progress } from "../../../core/context.ts";
import { INTERVAL_MS, createAllowance } from "../clients/allowance.ts";

/** Progress as MCP tells it: a number that only grows, and a word for people. */
export interface ToldProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ProgressTeller {
  tell(progress: Progress): void;
  /** Tells what was held back. */
  end(): void;
}

const MAX_MESSAGE = 2000;
/** Between two numbers that a tool gives there is room for its words. */
const SMALL_STEP = 1e-6;

/** Tells a call's progress to its client, and never more often than a client can bear, whatever the tool prints; the last is told always. */
export function createProgressTeller(send: (told: ToldProgress) => void): ProgressTeller {
  let last = -1;
  let isCounted = true;
  const mayTell = createAllowance();
  let held: ToldProgress | undefined;
  let timer: NodeJS.Timeout | undefined;

  const number = (done: number | undefined): number => {
    if (done !== undefined) isCounted = false;
    return done ?? last + (isCounted ? 1 : Math.max(1, Math.abs(last)) * SMALL_STEP);
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held !== undefined) send(held);
    held = undefined;
  };
  return {
    tell(progress) {
      const { done, total, message } = partsOf(progress);
      const next = number(done);
      if (!(next > last) || !Number.isFinite(next)) return;
      last = next;
      const told = { progress: next, ...(total !== undefined && { total }), ...(message && { message }) };
      if (timer === undefined && mayTell()) return send(told);
      held = told;
      timer ??= setTimeout(flush, INTERVAL_MS).unref();
    },
    end: flush,
  };
}

interface Parts {
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

function partsOf(progress: Progress): Parts {
  if (typeof progress === "string") return { message: cut(progress) };
  if ("stream" in progress) return { message: cut(progress.text) };
  const { done, total, message } = progress;
  const numberOf = (value: number | undefined): number | undefined =>
    value !== undefined && Number.isFinite(value) ? value : undefined;
  return {
    done: numberOf(done),
    total: numberOf(total),
    message: message === undefined ? undefined : cut(message),
  };
}

/** The end of a long text says more of where a call is than its beginning. */
function cut(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= MAX_MESSAGE ? trimmed : `…${trimmed.slice(-MAX_MESSAGE).toWellFormed()}`;
}

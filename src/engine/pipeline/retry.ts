import { setTimeout as sleep } from "node:timers/promises";
import { ERROR_CODES } from "../../core/errors.ts";
import type { Fault } from "../../core/result.ts";
import { timeoutMsOf, type CallState } from "../call/call-state.ts";

/** Returns the delay before the next attempt, or undefined if the call must not be retried. */
export function retryDelayMs(state: CallState, fault: Fault): number | undefined {
  const { attempts, engine } = state;
  if (!ERROR_CODES[fault.code].retry || attempts >= attemptsOf(state, fault)) return undefined;
  const longest = engine.retry.firstWaitMs * engine.retry.factor ** (attempts - 1);
  // Jitter over the upper half: calls that failed together are not retried together.
  const delayMs = longest * (0.5 + Math.random() / 2);
  // A wait that is longer than an attempt is not worth it.
  const isShort = delayMs < timeoutMsOf(state);
  return isShort && performance.now() + delayMs < state.context.lastDeadlineAt ? delayMs : undefined;
}

/** Returns the number of attempts: 1 for a call with effects, and for one that an executor has tried by itself. */
function attemptsOf({ job, engine, executor, limits }: CallState, { code }: Fault): number {
  if (executor?.retriesItself === true && code === "UNAVAILABLE") return 1;
  const effects = job?.tool.effects;
  const isSafe = effects === "none" || effects === "idempotent";
  return isSafe ? (limits?.attempts ?? engine.retry.attempts) : 1;
}

/** Waits for the delay or until the call is cancelled. Never rejects. */
export async function waitForRetry(state: CallState, fault: Fault, delayMs: number): Promise<void> {
  const { engine, call, attempts } = state;
  const about = { callId: call.id, code: fault.code, waitMs: delayMs, attempt: attempts + 1 };
  engine.emit({ ...state.origin, type: "call.retried", ...about });
  const controller = new AbortController();
  const stop = state.onCancel(() => controller.abort());
  // A listener of the event above may have cancelled the call.
  if (state.cancelled) controller.abort();
  await sleep(delayMs, undefined, { signal: controller.signal }).catch(() => undefined);
  stop();
}

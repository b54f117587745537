import { setTimeout as sleep } from "node:timers/promises";
import { ERROR_CODES } from "../../core/errors.ts";
import type { Fault } from "../../core/result.ts";
import type { Passage } from "../state/passage.ts";

/** How long to wait before the call is tried again; undefined where it must not be. */
export function retryWaitMs(passage: Passage, fault: Fault): number | undefined {
  const { attempts, job, line, limits } = passage;
  if (job === undefined || !ERROR_CODES[fault.code].retry) return undefined;
  const { effects } = job.tool;
  if (effects !== "none" && effects !== "idempotent") return undefined;
  if (attempts >= (limits?.attempts ?? line.retry.attempts)) return undefined;
  const longest = line.retry.firstWaitMs * line.retry.factor ** (attempts - 1);
  // Jitter over the upper half: many callers that failed together do not come back together.
  const waitMs = longest * (0.5 + Math.random() / 2);
  return performance.now() + waitMs < passage.context.deadlineAt ? waitMs : undefined;
}

/** Waits, unless the call is cancelled first. */
export async function waitForRetry(passage: Passage, fault: Fault, waitMs: number): Promise<void> {
  const { line, call, attempts } = passage;
  line.send({ type: "call.retried", callId: call.id, code: fault.code, waitMs, attempt: attempts + 1 });
  const controller = new AbortController();
  const stop = passage.onCancel(() => controller.abort());
  // Also by whoever was told of it just now.
  if (passage.cancelled) controller.abort();
  await sleep(waitMs, undefined, { signal: controller.signal }).catch(() => undefined);
  stop();
}

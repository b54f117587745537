import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import type { ModelPart } from "../../core/agent/model.ts";
import type { ModelFailure } from "./model-failure.ts";
import type { RetryOptions } from "./model-options.ts";

/**
 * Sends a request, and sends it again after a temporary failure unless a part of the answer was already yielded. Throws only
 * `ToolError`, and CANCELLED as soon as the signal aborts.
 */
export async function* withRetries(
  attempt: () => AsyncIterable<ModelPart>,
  retry: RetryOptions,
  signal: AbortSignal,
  toFailure: (thrown: unknown, hasBegun: boolean) => ModelFailure,
): AsyncIterable<ModelPart> {
  const { attempts = 4 } = retry;
  for (let made = 1; ; made += 1) {
    let hasYielded = false;
    try {
      throwIfCancelled(signal);
      for await (const part of attempt()) {
        // Pieces of an input are not part of a message: the call of a broken answer never runs.
        hasYielded ||= part.type !== "input";
        yield part;
      }
      return;
    } catch (thrown) {
      throwIfCancelled(signal);
      const failure = toFailure(thrown, hasYielded);
      const waitMs = backoffMs(made, failure, retry);
      if (hasYielded || !failure.isTemporary || made >= attempts || waitMs === undefined) throw failure.error;
      yield { type: "retry", attempt: made + 1, waitMs, message: failure.error.message };
      // An abort is reported at the beginning of the next attempt.
      await wait(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Returns the wait that the provider asks for, or else an exponential wait with jitter; undefined if the provider asks for too long. */
function backoffMs(made: number, { retryAfterMs }: ModelFailure, retry: RetryOptions): number | undefined {
  const { firstWaitMs = 1000, maxWaitMs = 60_000, random = Math.random } = retry;
  if (retryAfterMs !== undefined) return retryAfterMs > maxWaitMs ? undefined : retryAfterMs;
  return Math.round(Math.min(maxWaitMs, firstWaitMs * 2 ** (made - 1)) * (0.5 + random() / 2));
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ToolError("CANCELLED", "the request was cancelled", { cause: signal.reason });
}

import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import type { ModelPart } from "../../core/agent/model.ts";
import type { ModelFailure } from "./model-failure.ts";
import type { RetryOptions } from "../answer/model-options.ts";

export interface Retrying {
  readonly retry: RetryOptions;
  readonly signal: AbortSignal;
  readonly toFailure: (thrown: unknown) => ModelFailure;
}

/**
 * Makes a request, and makes it again after a failure that may pass, as long as nothing of an answer was given: what was shown
 * is never taken back. Throws `ToolError` only, CANCELLED as soon as the signal says so.
 */
export async function* withRetries(
  attempt: () => AsyncIterable<ModelPart>,
  { retry, signal, toFailure }: Retrying,
): AsyncIterable<ModelPart> {
  const { attempts = 4 } = retry;
  for (let made = 1; ; made += 1) {
    let isGiven = false;
    try {
      throwIfCancelled(signal);
      for await (const part of attempt()) {
        isGiven = true;
        yield part;
      }
      return;
    } catch (thrown) {
      throwIfCancelled(signal);
      const failure = toFailure(thrown);
      const waitMs = waitOf(made, failure, retry);
      if (isGiven || !failure.mayPass || made >= attempts || waitMs === undefined) throw failure.error;
      yield { type: "retry", attempt: made + 1, waitMs, message: failure.error.message };
      await waited(waitMs, signal);
    }
  }
}

/** Twice as long each time, spread by chance; as long as the provider says, where it says so. */
function waitOf(made: number, { retryAfterMs }: ModelFailure, retry: RetryOptions): number | undefined {
  const { firstWaitMs = 1000, maxWaitMs = 60_000, random = Math.random } = retry;
  if (retryAfterMs !== undefined) return retryAfterMs > maxWaitMs ? undefined : retryAfterMs;
  return Math.round(Math.min(maxWaitMs, firstWaitMs * 2 ** (made - 1)) * (0.5 + random() / 2));
}

async function waited(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(waitMs, undefined, { signal });
  } catch {
    throwIfCancelled(signal);
  }
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ToolError("CANCELLED", "the request was cancelled", { cause: signal.reason });
}

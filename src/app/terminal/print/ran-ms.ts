import type { Meta } from "../../../core/result.ts";

/** Returns the time of a call that people are shown, everywhere the same: without that in which it waited for them. */
export function ranMs({ durationMs, waitedMs = 0 }: Pick<Meta, "durationMs" | "waitedMs">): number {
  return Math.max(0, durationMs - waitedMs);
}

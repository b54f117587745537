import type { Fault, ToolResult } from "../../core/result.ts";
import type { JobHead } from "./wire.ts";

/** Returns true for a call that may run twice. */
export function isSafe({ effects }: Pick<JobHead, "effects">): boolean {
  return effects === "none" || effects === "idempotent";
}

/** Returns the answer of a call that failed before or without a result of its tool. */
export function failure({ id: callId, tool }: Pick<JobHead, "id" | "tool">, error: Fault): ToolResult {
  const content = [{ type: "text", text: `Error: ${error.message}` }] as const;
  const meta = {
    startedAt: Date.now(),
    durationMs: 0,
    place: "fleet",
    attempts: 1,
    source: "fleet",
  } as const;
  return { callId, name: tool, ok: false, content, error, meta };
}

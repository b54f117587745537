import { ToolError } from "../../core/errors.ts";
import { openCalls } from "./open-calls.ts";
import type { Entry } from "./transcript.ts";

/** Returns the entries up to `at`, without a last message whose calls have no result yet: they may still run in the original. */
export function forkable(entries: readonly Entry[], at = entries.length): readonly Entry[] {
  if (!Number.isInteger(at) || at < 0 || at > entries.length) {
    throw new ToolError("INVALID_INPUT", `the session has no entry ${at}`, {
      hint: entries.length === 0 ? "it has no entries" : `its entries are 1 to ${entries.length}`,
    });
  }
  const wanted = entries.slice(0, at);
  const messages = wanted.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
  if (openCalls(messages).length === 0) return wanted;
  const asking = wanted.findLastIndex(
    (entry) => entry.kind === "message" && entry.message.role === "assistant",
  );
  return wanted.slice(0, asking);
}

import type { ToolCall } from "../../core/call.ts";
import type { Key, ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import { FileAccessKey, type FileAccess } from "../../core/session/file-access.ts";

/** The signal and deadline that end a call. */
export interface CallLimits {
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

/** Returns a context without an engine: it stores nothing, drops events, denies every question and has no other tools. */
export function createStandAloneContext(
  call: ToolCall,
  facts: readonly Fact[],
  limits: CallLimits,
): ToolContext {
  const find = <T>(key: Key<T>): T | undefined =>
    key.name === FileAccessKey.name ? (NOTHING_SEEN as T) : undefined;
  const alone = (): never => {
    throw new ToolError("UNAVAILABLE", "a stand-alone program has no engine to call another tool");
  };
  return {
    call,
    facts,
    ...limits,
    emit: () => undefined,
    ask: () => Promise.resolve({ approved: false, reason: "a stand-alone program cannot prompt" }),
    find,
    get(key) {
      const value = find(key);
      if (value === undefined)
        throw new ToolError("MISSING_CONTEXT", `there is no ${key.name} without an engine`);
      return value;
    },
    run: async () => alone(),
    runAll: async () => alone(),
  };
}

/** A program runs one call, so no file was read before. */
const NOTHING_SEEN: FileAccess = {
  seen: () => Promise.resolve(undefined),
  note: () => Promise.resolve(),
};

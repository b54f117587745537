import type { ToolCall } from "../../core/call.ts";
import type { Key, ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import type { FileAccess } from "../../core/session/file-access.ts";
import { FileAccessKey } from "../../core/session/file-access.ts";

/** What ends a call. */
export interface Ends {
  readonly signal: AbortSignal;
  readonly deadlineAt: number;
}

/** A context without an engine: nothing is kept, nobody listens, nobody can be asked, and no other tool is there. */
export function createStandAloneContext(call: ToolCall, facts: readonly Fact[], ends: Ends): ToolContext {
  const find = <T>(key: Key<T>): T | undefined =>
    key.name === FileAccessKey.name ? (NOTHING_SEEN as T) : undefined;
  const alone = (): never => {
    throw new ToolError("UNAVAILABLE", "a stand-alone program has no engine to call another tool");
  };
  return {
    call,
    facts,
    ...ends,
    emit: () => undefined,
    ask: () => Promise.resolve({ approved: false, reason: "a stand-alone program has nobody to ask" }),
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

/** One call is a whole life: nothing was seen before, and what is seen is forgotten. */
const NOTHING_SEEN: FileAccess = {
  seen: () => Promise.resolve(undefined),
  note: () => Promise.resolve(),
};

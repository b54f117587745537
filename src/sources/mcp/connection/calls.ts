import type { ToolContext } from "../../../core/context.ts";

/** The running calls of one server. */
export interface Calls {
  /** Adds a call and returns a function that removes it. */
  enter(context: ToolContext): () => void;
  /** Returns the call that started last: the protocol does not say which call a server request belongs to. */
  latest(): ToolContext | undefined;
}

export function createCalls(): Calls {
  const running = new Set<ToolContext>();
  return {
    enter(context) {
      running.add(context);
      return () => void running.delete(context);
    },
    latest: () => [...running].at(-1),
  };
}

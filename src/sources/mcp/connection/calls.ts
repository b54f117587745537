import { AsyncLocalStorage } from "node:async_hooks";
import type { ToolContext } from "../../../core/context.ts";

/** The running calls of one server. */
export type Calls = ReturnType<typeof createCalls>;

export function createCalls() {
  const running = new Set<ToolContext>();
  const sent = new AsyncLocalStorage<ToolContext>();
  return {
    /** Adds a call and returns a function that removes it. */
    enter(context: ToolContext): () => void {
      running.add(context);
      return () => void running.delete(context);
    },
    /** Sends the request of a call: `sender` returns the call in everything that reads its response. */
    send: <T>(context: ToolContext, begin: () => T): T => sent.run(context, begin),
    sender: (): ToolContext | undefined => sent.getStore(),
    /** Returns every running call. */
    all: (): readonly ToolContext[] => [...running],
    /** Returns the call that started last: the protocol does not say which call a server request belongs to. */
    latest: (): ToolContext | undefined => [...running].at(-1),
  };
}

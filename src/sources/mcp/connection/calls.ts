import type { ToolContext } from "../../../core/context.ts";

/** The calls that run on one server now. */
export interface Calls {
  /** Gives back the way to strike it off. */
  enter(context: ToolContext): () => void;
  /** The one that began last: a server does not say to which of them a question belongs. */
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

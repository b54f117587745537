import type { Executor } from "../core/executor.ts";

/** Runs tools in this process. */
export const hostExecutor: Executor = {
  place: "host",
  execute({ tool, input, hidden }, context) {
    return tool.run(hasKeys(hidden) ? { ...input, ...hidden } : input, context);
  },
};

function hasKeys(object: object): boolean {
  for (const _key in object) return true;
  return false;
}

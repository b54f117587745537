import type { Executor } from "../../core/executor.ts";
import { NO_PRESETS } from "../registry/presets.ts";

/** Runs tools in this process. */
export const hostExecutor: Executor = {
  place: "host",
  execute({ tool, input, hidden }, context) {
    return tool.run(hidden === NO_PRESETS ? input : { ...input, ...hidden }, context);
  },
};

import type { Executor, PlacedTool } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import type { Place } from "../../core/spec.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { NO_PRESETS } from "../registry/presets.ts";

/** Stage: finds the executor for the place of the tool. */
export function route(state: CallState): StageOutcome {
  const { tool } = required(state.entry, "tool");
  const executor = executorFor(state.engine.executors, tool.place, required(state.job, "job"));
  if (executor !== undefined) {
    state.executor = executor;
    return undefined;
  }
  return {
    code: "NO_EXECUTOR",
    message: `"${tool.name}" runs in place "${tool.place}", which has no executor`,
    hint: `pass createEngine an executor for "${tool.place}"`,
  };
}

/** Runs tools in this process. */
export const hostExecutor: Executor = {
  place: "host",
  execute({ tool, input, hidden }, context) {
    return tool.run(hidden === NO_PRESETS ? input : { ...input, ...hidden }, context);
  },
};

/** A sandbox tool falls back to the host if there is no sandbox; a fleet tool never does. */
function executorFor(executors: ReadonlyMap<Place, Executor>, place: Place, job: Job): Executor | undefined {
  const executor = executors.get(place) ?? (place === "sandbox" ? executors.get("host") : undefined);
  return executor?.takes?.(job) === false ? executors.get("host") : executor;
}

/** Returns where calls of a tool run, unless one of them asks for another place. */
export function placeOf(executors: ReadonlyMap<Place, Executor>, tool: PlacedTool): Place {
  if (tool.place !== "sandbox") return tool.place;
  const executor = executors.get("sandbox");
  return executor === undefined || executor.holds?.(tool) === false ? "host" : "sandbox";
}

import type { Executor, PlacedTool } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import type { Place } from "../../core/spec.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { NO_PRESETS } from "../registry/presets.ts";

/** Stage: finds the executor for the place of the tool. */
export function route(state: CallState): StageOutcome {
  const { tool } = required(state.entry, "tool");
  const { place } = state;
  const job = required(state.job, "job");
  const executor = executorFor(state.engine.executors, place, job);
  if (executor?.place !== "sandbox" && mustBeConfined(job))
    return {
      code: "NO_EXECUTOR",
      message: `"${tool.name}" must run in a sandbox, and there is none for it`,
      hint: "toolwright doctor says which sandboxes work",
    };
  if (executor !== undefined) {
    state.executor = executor;
    return undefined;
  }
  return {
    code: "NO_EXECUTOR",
    message: `"${tool.name}" runs in place "${place}", which has no executor`,
    hint:
      place === "fleet"
        ? "set fleet.servers in the config, or pass createEngine an executor for the fleet"
        : `pass createEngine an executor for "${place}"`,
  };
}

/** Policy refuses such a call if there is no sandbox; this is for a policy that does not know. */
function mustBeConfined({ facts }: Job): boolean {
  return facts.some((fact) => fact.kind === "command" && fact.isConfined === true);
}

/** Returns the place that the call, the fleet or the tool chooses. */
export function wantedPlace({ engine, options }: CallState, tool: PlacedTool): Place {
  return options.place ?? (claims(engine.executors, tool) ? "fleet" : tool.place);
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

/** Returns true if calls of a tool go to the fleet, whatever its own place. */
function claims(executors: ReadonlyMap<Place, Executor>, tool: PlacedTool): boolean {
  return executors.get("fleet")?.claims?.(tool) === true;
}

/** Returns where calls of a tool run, unless one of them asks for another place. */
export function placeOf(executors: ReadonlyMap<Place, Executor>, tool: PlacedTool): Place {
  if (claims(executors, tool)) return "fleet";
  if (tool.place !== "sandbox") return tool.place;
  const executor = executors.get("sandbox");
  return executor === undefined || executor.holds?.(tool) === false ? "host" : "sandbox";
}

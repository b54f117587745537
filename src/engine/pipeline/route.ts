import { HOST } from "../../core/spec.ts";
import type { Executor, PlacedTool } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { NO_PRESETS } from "../registry/presets.ts";
import type { Executors } from "../types/engine-parts.ts";

/** Stage: finds the executor for the place of the call. */
export function route(state: CallState): StageOutcome {
  const { place } = state;
  const { byPlace } = state.engine.executors;
  const job = required(state.job, "job");
  const executor = executorFor(byPlace, place, job);
  if (mustBeConfined(job) && (executor?.place !== job.tool.place || executor.place === HOST))
    return {
      code: "NO_EXECUTOR",
      message: `"${job.tool.name}" must run in a sandbox, and there is none for it`,
      hint: "toolwright doctor says which sandboxes work",
    };
  if (executor !== undefined) {
    state.executor = executor;
    return undefined;
  }
  const { name } = required(state.entry, "tool").tool;
  const isKnown = byPlace.has(place);
  return {
    code: "NO_EXECUTOR",
    message: isKnown
      ? `the executor of place "${place}" does not run this call of "${name}", and has no fallback`
      : `"${name}" runs in place "${place}", which has no executor`,
    hint: isKnown
      ? 'let it accept the call, or set its fallback to "host"'
      : nearHint(place, byPlace.keys(), `pass createEngine an executor for "${place}"`),
  };
}

/** Policy refuses such a call if there is no sandbox; this is for a policy that does not know. */
function mustBeConfined({ facts }: Job): boolean {
  return facts.some((fact) => fact.kind === "command" && fact.isConfined === true);
}

/** Returns the place that the call, an executor or the tool chooses. */
export function wantedPlace({ engine, options }: CallState, tool: PlacedTool): string {
  return options.place ?? overridingPlace(engine.executors, tool) ?? tool.place;
}

/** Returns true if the place of the call is on another machine, or is not the one of its tool, whose sandbox then does not hold it. */
export function runsElsewhere({ engine, place, job }: CallState): boolean {
  return place !== job?.tool.place || engine.executors.byPlace.get(place)?.isElsewhere === true;
}

/** Returns where calls of a tool run, unless one of them asks for another place. */
export function placeOf(executors: Executors, tool: PlacedTool): string {
  const overriding = overridingPlace(executors, tool);
  if (overriding !== undefined) return overriding;
  const executor = executors.byPlace.get(tool.place);
  return executor?.runsHere?.(tool) === false ? (executor.fallback ?? tool.place) : tool.place;
}

/** Runs tools in this process. */
export const hostExecutor: Executor = {
  place: HOST,
  execute({ tool, input, hidden }, context) {
    return tool.run(hidden === NO_PRESETS ? input : { ...input, ...hidden }, context);
  },
};

/** What an executor does not run falls back to the host only if the executor says so. */
function executorFor(byPlace: Executors["byPlace"], place: string, job: Job): Executor | undefined {
  const executor = byPlace.get(place);
  if (executor?.runsHere?.(job.tool) !== false && executor?.accepts?.(job) !== false) return executor;
  return executor.fallback === undefined ? undefined : byPlace.get(executor.fallback);
}

function overridingPlace({ overriding }: Executors, tool: PlacedTool): string | undefined {
  for (const executor of overriding) if (executor.overrides?.(tool) === true) return executor.place;
  return undefined;
}

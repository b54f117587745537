import type { Executor } from "../../core/executor.ts";
import type { Place } from "../../core/spec.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";

/** Station: makes sure that something can run tools of this place. */
export function route(passage: Passage): StationOutcome {
  const { tool } = given(passage.entry, "tool");
  const executor = executorFor(passage.line.executors, tool.place);
  if (executor !== undefined) {
    passage.executor = executor;
    return undefined;
  }
  return {
    code: "NO_EXECUTOR",
    message: `"${tool.name}" runs in place "${tool.place}", and nothing is set up to run tools there`,
    hint: `pass createEngine an executor for "${tool.place}"`,
  };
}

/** Without a box of its own, a sandbox tool runs on the host; a fleet tool never does. */
function executorFor(executors: ReadonlyMap<Place, Executor>, place: Place): Executor | undefined {
  return executors.get(place) ?? (place === "sandbox" ? executors.get("host") : undefined);
}

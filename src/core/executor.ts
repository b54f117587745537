import type { ToolContext } from "./context.ts";
import type { Job } from "./job.ts";
import type { Place } from "./spec.ts";
import type { ToolOutput } from "./tool.ts";

/** A place where jobs run. It may throw; the line turns what it throws into the answer. */
export interface Executor {
  readonly place: Place;
  execute(job: Job, context: ToolContext): ToolOutput;
}

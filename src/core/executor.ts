import type { ToolContext } from "./context.ts";
import type { Job } from "./job.ts";
import type { Place } from "./spec.ts";
import type { ToolOutput } from "./tool.ts";

/** Runs jobs in one place. It may throw; the pipeline turns an exception into the answer. */
export interface Executor {
  readonly place: Place;
  /** Returns false for a job that runs on the host instead; default: it takes every job of its place. */
  takes?(job: Job): boolean;
  execute(job: Job, context: ToolContext): ToolOutput;
}

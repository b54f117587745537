import type { ToolContext } from "./context.ts";
import type { Job } from "./job.ts";
import type { JsonObject } from "./json.ts";
import type { Place, Risk, ToolSpec } from "./spec.ts";
import type { ToolOutput } from "./tool.ts";

/** What decides where the calls of a tool run. */
export type PlacedTool = Pick<ToolSpec, "name" | "place" | "source" | "group">;

/** Runs jobs in one place. It may throw; the pipeline turns an exception into the answer. */
export interface Executor {
  readonly place: Place;
  /** Returns false for a tool all of whose jobs run on the host instead; default: true. */
  holds?(tool: PlacedTool): boolean;
  /** Returns true for a tool of another place all of whose jobs run here; default: false. */
  claims?(tool: PlacedTool): boolean;
  /** Returns false for a job that runs on the host instead; default: it takes every job of its place. */
  takes?(job: Job): boolean;
  execute(job: Job, context: ToolContext): ToolOutput;
}

/** A call that is about to run: policy has allowed it, and its input is final. */
export interface WrappedCall {
  /** The tool's own name. */
  readonly name: string;
  readonly input: JsonObject;
  readonly risk: Risk;
  readonly context: ToolContext;
}

/**
 * Wraps the execution of every call, within its deadline and once per attempt: for traces, locks and caches. `next` runs the tool, at
 * most once, and returns its output. What the wrapper returns is the output of the call; what it throws is its failure.
 */
export type Around = (call: WrappedCall, next: () => Promise<unknown>) => unknown;

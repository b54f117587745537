import type { ToolContext } from "./context.ts";
import { ToolError } from "./errors.ts";
import type { Job } from "./job.ts";
import type { JsonObject } from "./json.ts";
import type { RanOn } from "./result.ts";
import type { Risk, ToolSpec } from "./spec.ts";
import type { ToolOutput } from "./tool.ts";

/** What decides where the calls of a tool run. */
export type PlacedTool = Pick<ToolSpec, "name" | "place" | "source" | "group">;

/** Runs the jobs of one place. It may throw; the pipeline turns an exception into the answer. */
export interface Executor {
  /** Any name: the tools that have it as their `place` run here. */
  readonly place: string;
  /** True: its jobs run on another machine, which the sandbox of this one does not hold. */
  readonly isElsewhere?: boolean;
  /** True: it has tried a job again before it fails with `UNAVAILABLE`; the engine does not. */
  readonly retriesItself?: boolean;
  /** Where tools and jobs run that it does not run. Default: nowhere, such a call fails with `NO_EXECUTOR`. */
  readonly fallback?: "host";
  /** Returns false for a tool of this place none of whose jobs run here. Default: true. */
  runsHere?(tool: PlacedTool): boolean;
  /** Returns true for a tool of another place all of whose jobs run here. Default: false. */
  overrides?(tool: PlacedTool): boolean;
  /** Returns false for a job that does not run here. Default: true. */
  accepts?(job: Job): boolean;
  /** Runs a job and returns the output of its tool, or throws its failure. */
  execute(job: Job, context: ToolContext): ToolOutput;
  /** Returns the worker that ran the job of this context, once it has ended. Default: undefined, this process ran it. */
  ranOn?(context: ToolContext): RanOn | undefined;
}

/** The place `sandbox` of an engine without a sandbox: its tools run on the host. */
export const NO_SANDBOX: Executor = {
  place: "sandbox",
  fallback: "host",
  runsHere: () => false,
  execute() {
    throw new ToolError("NO_EXECUTOR", "there is no sandbox");
  },
};

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

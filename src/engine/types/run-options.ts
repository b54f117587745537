import type { ToolCall } from "../../core/call.ts";
import type { PathWord } from "../../core/command.ts";
import type { Agent, Provided } from "../../core/context.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { ToolResult } from "../../core/result.ts";

/** Options of one call. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly session?: string;
  readonly agent?: Agent & { readonly context?: readonly Provided[] };
  readonly context?: readonly Provided[];
  /** Overrides the limits of the tool and of the engine. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Limits this call and every call it makes, outermost first: a child never has more rights than its parents. */
  readonly ceilings?: readonly Ceiling[];
  /** The nesting depth of a call made by a tool; set by the engine. */
  readonly depth?: number;
  /** False leaves untrusted text unmarked, for an answer that goes to a person or is marked later. Default: true. */
  readonly fence?: boolean;
}

export interface RunAllOptions extends RunOptions {
  /** `safe`: in parallel where effects allow; `all`: always in parallel; false: one after the other. Default: safe. */
  readonly parallel?: false | "safe" | "all";
  /** The number of calls that run at a time. */
  readonly concurrency?: number;
}

/** Runs one call through the pipeline. Never rejects. */
export type Run = (call: ToolCall, options?: RunOptions) => Promise<ToolResult>;

/** Runs many calls; the answers are in the order of the calls. Never rejects. */
export type RunAll = (calls: readonly ToolCall[], options?: RunAllOptions) => Promise<readonly ToolResult[]>;

/** Finds the canonical target of a path that a command names. */
export type ResolvePath = (word: PathWord) => Promise<PathFact>;

export interface Retry {
  readonly attempts: number;
  readonly firstWaitMs: number;
  readonly factor: number;
}

import type { Approver } from "../../core/approval.ts";
import type { Provided } from "../../core/context.ts";
import type { Cuts } from "../../core/cuts.ts";
import type { Listener } from "../../core/events.ts";
import type { Executor } from "../../core/executor.ts";
import type { Grants } from "../../core/grant.ts";
import type { Hook } from "../../core/hook.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Tool } from "../../core/tool.ts";
import type { ResolvePath, Retry } from "./run-options.ts";

/** Every option has a default. Without a store nothing is written to disk; without an approver, calls that need approval are denied. */
export interface EngineOptions {
  readonly tools?: readonly Tool[];
  /** The approval mode. Default: auto. */
  readonly mode?: Mode;
  /** Canonical folders that file tools may touch. Default: none. */
  readonly workspace?: readonly string[];
  /** Replaces the built-in policy over `mode` and `workspace`. */
  readonly policy?: Policy;
  /** Decides calls that need approval. Without an approver they are denied. */
  readonly approver?: Approver;
  /** Denies a call that no approver has decided after this time. Default: 5 minutes. */
  readonly approvalTimeoutMs?: number;
  /** Stores lasting approvals. Default: in memory. */
  readonly grants?: Grants;
  readonly resolvePath?: ResolvePath;
  /** Run in this order at each hook point. */
  readonly hooks?: readonly Hook[];
  readonly context?: readonly Provided[];
  readonly executors?: readonly Executor[];
  readonly journal?: Journal;
  readonly artifacts?: Artifacts;
  /** The deadline of a call whose tool sets none; it counts execution only. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Default: three attempts, one second before the second, twice as long before each further one. */
  readonly retry?: Partial<Retry>;
  /** The number of calls of one `runAll` that run at a time. Default: 16. */
  readonly concurrency?: number;
  readonly cuts?: Partial<Cuts>;
  /** Values to mask wherever they appear. */
  readonly secrets?: readonly string[];
  /** With `envelope` the model reads {"tool_success": …}. Default: plain. */
  readonly modelText?: "plain" | "envelope";
  /** Receives every event from the start. */
  readonly log?: Listener;
}

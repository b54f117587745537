import type { ResolvePath, Retry, RunOptions } from "../types/options.ts";
import type { Approval, Approver, Question } from "../../core/approval.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Cuts } from "../../core/cuts.ts";
import type { Executor } from "../../core/executor.ts";
import type { Grants } from "../../core/grant.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Policy } from "../../core/policy.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Place } from "../../core/spec.ts";
import type { Deadlines } from "./deadlines.ts";
import type { FileChanges } from "../hooks/file-changes.ts";
import type { Groups } from "../types/registry.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { InFlight } from "../../util/async/in-flight.ts";
import type { Listeners } from "../events/listeners.ts";
import type { Masker } from "../../util/text/mask.ts";
import type { Registry } from "../registry/registry.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { Sessions } from "../registry/session.ts";
import type { EngineSources } from "../registry/sources.ts";

/** What every call on one engine shares. */
export interface Line {
  readonly registry: Registry;
  readonly groups: Groups;
  readonly sources: EngineSources;
  readonly sessions: Sessions;
  readonly policy: Policy;
  readonly approver: Approver | undefined;
  readonly approvalTimeoutMs: number;
  readonly grants: Grants;
  readonly resolvePath: ResolvePath | undefined;
  /** Undefined where there are none: then they cost nothing. */
  readonly hooks: Hooks | undefined;
  readonly sessionHooks: SessionHooks | undefined;
  readonly changes: FileChanges;
  readonly context: ReadonlyMap<string, unknown>;
  readonly executors: ReadonlyMap<Place, Executor>;
  readonly journal: Journal | undefined;
  readonly artifacts: Artifacts | undefined;
  readonly masker: Masker;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  readonly retry: Retry;
  readonly concurrency: number;
  readonly cuts: Cuts;
  readonly modelText: "plain" | "envelope";
  /** Tells an event to whoever listens; never throws. */
  readonly send: Listeners["send"];
  /** False where nobody would hear such an event: then it need not be made. */
  readonly hears: Listeners["hears"];
  /** Called when the engine closes: every call that waits for something listens here. */
  readonly closing: Set<() => void>;
  isClosed(): boolean;
  readonly inFlight: InFlight;
  /** Asks the approver on behalf of a running tool. */
  ask(
    call: ToolCall,
    question: Question,
    options: Pick<RunOptions, "session"> & { readonly signal: AbortSignal },
  ): Promise<Approval>;
  /** A call made from inside another one: the whole line again. */
  run(call: ToolCall, options: RunOptions): Promise<ToolResult>;
  /** Calls made from inside another one, together where their effects allow. */
  runAll(calls: readonly ToolCall[], options: RunOptions): Promise<readonly ToolResult[]>;
}

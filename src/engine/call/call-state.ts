import type { PendingCall } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Content, Truncated } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { originOf, type EventOrigin } from "../../core/events.ts";
import type { Executor } from "../../core/executor.ts";
import type { Fact, PathFact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Fault } from "../../core/result.ts";
import type { UntrustedText } from "../../core/session/untrusted-texts.ts";
import { HOST, type Limits } from "../../core/spec.ts";
import type { ApprovalTrace, JournalEntry, StageTime } from "../../core/store/journal.ts";
import { onAbort } from "../../util/async/on-abort.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { CallContext } from "./call-context.ts";
import type { EngineParts, OpenSession } from "../types/engine-parts.ts";
import type { CallOptions, Slot } from "../types/options.ts";
import type { ToolEntry } from "../types/tool-entry.ts";

let clock: typeof performance | undefined;

/** Returns `performance.now()`. The global is looked up once, at the first call: the lookup costs as much as reading the clock. */
export function now(): number {
  return (clock ??= performance).now();
}

/** A stage of the pipeline: returns nothing to go on, a fault to stop the call, or `RESTART`. */
export type Stage = (state: CallState) => StageOutcome | Promise<StageOutcome>;
export type StageOutcome = Fault | typeof RESTART | undefined;

/** Returned by a stage that replaced the input, which must be validated and judged from the start. */
export const RESTART = Symbol("restart");

/** The state of one call in the pipeline: each stage reads what earlier stages wrote and writes its own part. */
export class CallState {
  readonly engine: EngineParts;
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly session: OpenSession | undefined;
  readonly startedAt = Date.now();
  readonly startedAtMonotonic = now();
  /** The time of its next event. It is read again after each wait only: reading the clock is a large part of a short call. */
  at = this.startedAt;
  readonly context: CallContext;
  slot: Slot | undefined = undefined;
  /** Set if the call was suspended. */
  pending: PendingCall | undefined = undefined;
  journal: JournalEntry | undefined = undefined;
  /** The tool bound by `lookUp`; removing the tool later does not change it. */
  entry: ToolEntry | undefined = undefined;
  parameterAliases: Readonly<Record<string, string>> | undefined = undefined;
  /** Where the call runs, if there is an executor for it. */
  place: string = HOST;
  input: JsonObject = NO_INPUT;
  /** Replaces the call's own input after a hook or a person rewrote it. */
  replacement: JsonObject | undefined = undefined;
  /** The number of rewrites by hooks. */
  rewrites = 0;
  /** Whether the JSON text of the input was repaired. */
  isRepaired = false;
  coerced: readonly string[] | undefined = undefined;
  job: Job | undefined = undefined;
  verdict: Verdict | undefined = undefined;
  /** How the call was approved or refused, if it had to be. */
  approval: ApprovalTrace | undefined = undefined;
  /** Set if a hook demands approval, whatever policy decides. */
  approvalDemand: { readonly hook: string; readonly reason: string } | undefined = undefined;
  /** True if a person wrote the input that is judged now. */
  isApproved: boolean;
  executor: Executor | undefined = undefined;
  limits: Limits | undefined = undefined;
  /** The files that the call declares to change, if anyone observes file changes. */
  targets: readonly PathFact[] = NO_TARGETS;
  attempts = 0;
  output: unknown = undefined;
  /** What the tool threw. */
  thrown: unknown = undefined;
  /** The masked stack of it, which the answer has. */
  stack: string | undefined = undefined;
  /** The stages that it waited for. */
  stages: StageTime[] | undefined = undefined;
  content: readonly Content[] = NO_CONTENT;
  data: Json | undefined = undefined;
  truncated: Truncated | undefined = undefined;
  /** True if the content has escapes for characters that cannot be sent. */
  isEscaped = false;

  constructor(engine: EngineParts, call: ToolCall, options: CallOptions) {
    this.engine = engine;
    this.call = call;
    this.options = options;
    this.session = options.session === undefined ? undefined : engine.sessions.open(options.session);
    this.context = new CallContext(engine, call, options);
    this.isApproved = options.approvedBy !== undefined;
  }

  /** The common fields of an event of this call. */
  get origin(): EventOrigin {
    return originOf(this.options.session, this.options.parentId);
  }

  /** True if the caller cancelled the call or the engine was closed. */
  get cancelled(): boolean {
    return this.options.signal?.aborted === true || this.engine.isClosed();
  }

  /** True if the output of the tool is untrusted and goes to a model. */
  get isFenced(): boolean {
    return this.entry?.tool.isUntrusted === true && this.options.fence !== false;
  }

  /**
   * Calls the listener once when the call is cancelled. Returns a function that removes the listener. A set that shrinks keeps what it
   * had alive until a full garbage collection, so that what stays in it refers to nothing of the call.
   */
  onCancel(listener: () => void): () => void {
    const { signal } = this.options;
    const { closing } = this.engine;
    let wanted: (() => void) | undefined = listener;
    const cancel = (): void => wanted?.();
    const stop = signal && onAbort(signal, cancel);
    closing.add(cancel);
    return () => {
      wanted = undefined;
      stop?.();
      closing.delete(cancel);
    };
  }

  /** Waits for a value from outside the engine. Rejects as soon as the call is cancelled, and aborts the signal of the context. */
  async orCancelled<T>(pending: T | PromiseLike<T>): Promise<T> {
    if (!isThenable(pending)) return pending;
    const { signal } = this.options;
    let stop = (): void => undefined;
    const cancelled = new Promise<never>((_resolve, reject) => {
      const cancel = (): void => {
        const error = cancelledError(this.engine, signal);
        this.context.abort(error);
        reject(error);
      };
      if (this.cancelled) cancel();
      else stop = this.onCancel(cancel);
    });
    return Promise.race([cancelled, pending]).finally(stop);
  }

  /** Gives the job and the tool the same facts: what was judged is what runs. */
  setFacts(facts: readonly Fact[]): void {
    const frozen = Object.freeze([...facts]);
    this.context.facts = frozen;
    this.job = { ...required(this.job, "job"), facts: frozen };
  }
}

/** Returns the error of a cancelled call, with the reason that its program gave to `abort`. */
export function cancelledError({ isClosed }: Pick<EngineParts, "isClosed">, signal?: AbortSignal): ToolError {
  if (isClosed()) return new ToolError("CANCELLED", "the engine was closed");
  const reason: unknown = signal?.aborted === true ? signal.reason : undefined;
  const name = reason instanceof Error ? reason.name : undefined;
  const why =
    name === "TimeoutError" ? "its signal timed out" : name === "AbortError" ? undefined : reasonText(reason);
  return new ToolError("CANCELLED", `the call was cancelled${why === undefined ? "" : `: ${why}`}`);
}

function reasonText(reason: unknown): string | undefined {
  const text = reason instanceof Error ? reason.message : reason;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** Returns the text from outside that the session of a call has, or the engine's own session. */
export function untrustedIn({ session, engine }: Pick<CallState, "session" | "engine">): UntrustedText {
  return session?.untrusted ?? engine.untrusted;
}

/** Returns a value that an earlier stage must have written. Throws if it is missing, which is a bug of the pipeline. */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`the pipeline has no ${what} at this stage`);
  return value;
}

const NO_INPUT: JsonObject = Object.freeze({});
const NO_CONTENT: readonly Content[] = Object.freeze([]);
const NO_TARGETS: readonly PathFact[] = [];

/** Returns the effective deadline: of the call, else of the tool, else of the engine. */
export function timeoutMsOf({ engine, options, entry, limits = entry?.tool.limits }: CallState): number {
  return options.timeoutMs ?? limits?.timeoutMs ?? engine.timeoutMs;
}

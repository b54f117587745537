import type { ToolCall } from "../core/call.ts";
import type { Content, Truncated } from "../core/content.ts";
import { ToolError } from "../core/errors.ts";
import type { Executor } from "../core/executor.ts";
import type { Job } from "../core/job.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Verdict } from "../core/policy.ts";
import type { Fault } from "../core/result.ts";
import type { Limits } from "../core/spec.ts";
import { CallContext } from "./call-context.ts";
import type { Line, RunOptions } from "./line.ts";
import type { Entry } from "./registry.ts";
import type { OpenSession } from "./session.ts";

/** Looking the global up costs as much as reading the clock. */
export const clock = performance;

/** One call on its way down the line: each station reads what earlier ones wrote, and writes its own part. */
export class Passage {
  readonly line: Line;
  readonly call: ToolCall;
  readonly options: RunOptions;
  readonly session: OpenSession | undefined;
  readonly startedAt = Date.now();
  readonly startedAtMonotonic = clock.now();
  readonly context: CallContext;
  journal: JournalEntry | undefined = undefined;
  /** The tool that was bound at look-up: a later removal does not change it. */
  entry: Entry | undefined = undefined;
  renames: Readonly<Record<string, string>> | undefined = undefined;
  input: JsonObject = NOTHING;
  coerced: readonly string[] | undefined = undefined;
  job: Job | undefined = undefined;
  verdict: Verdict | undefined = undefined;
  executor: Executor | undefined = undefined;
  limits: Limits | undefined = undefined;
  attempts = 0;
  output: unknown = undefined;
  content: readonly Content[] = NO_CONTENT;
  data: Json | undefined = undefined;
  truncated: Truncated | undefined = undefined;

  constructor(line: Line, call: ToolCall, options: RunOptions) {
    this.line = line;
    this.call = call;
    this.options = options;
    this.session = options.session === undefined ? undefined : line.sessions.open(options.session);
    this.context = new CallContext(line, call, options);
  }

  /** Why the call must stop now: its caller cancelled it, or the engine was closed. */
  get cancelled(): boolean {
    return this.options.signal?.aborted === true || this.line.isClosed();
  }

  /** Calls back once when the call is cancelled; gives back the way to stop listening. */
  onCancel(listener: () => void): () => void {
    const { signal } = this.options;
    signal?.addEventListener("abort", listener, { once: true });
    this.line.closing.add(listener);
    return () => {
      signal?.removeEventListener("abort", listener);
      this.line.closing.delete(listener);
    };
  }

  /** Waits for something outside the engine, but no longer than the caller wants. */
  async orCancelled<T>(waiting: T | Promise<T>): Promise<T> {
    if (!(waiting instanceof Promise)) return waiting;
    if (this.cancelled) throw cancelledError();
    let stop = (): void => undefined;
    const cancel = new Promise<never>((_resolve, reject) => {
      stop = this.onCancel(() => reject(cancelledError()));
    });
    return Promise.race([waiting, cancel]).finally(stop);
  }
}

export function cancelledError(): ToolError {
  return new ToolError("CANCELLED", "the call was cancelled");
}

/** A station of the line: nothing when the call may go on, the fault when it may not. */
export type Station = (passage: Passage) => StationOutcome | Promise<StationOutcome>;
export type StationOutcome = Fault | undefined;

const NOTHING: JsonObject = Object.freeze({});
const NO_CONTENT: readonly Content[] = Object.freeze([]);

/** What an earlier station must have written; its absence is a bug of the line. */
export function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`the line has no ${what} at this station`);
  return value;
}

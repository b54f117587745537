import type { ToolCall } from "../../core/call.ts";
import type { Content, Truncated } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Executor } from "../../core/executor.ts";
import type { Job } from "../../core/job.ts";
import type { JournalEntry } from "../../core/store/journal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Verdict } from "../../core/policy.ts";
import type { Fault } from "../../core/result.ts";
import type { Limits } from "../../core/spec.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { CallContext } from "./call-context.ts";
import type { Line } from "./line.ts";
import type { RunOptions } from "../types/options.ts";
import type { Entry } from "../registry/registry.ts";
import type { Slot } from "./slots.ts";
import type { OpenSession } from "../registry/session.ts";

/** Looking the global up costs as much as reading the clock. */
export const clock = performance;

/** One call on its way down the line: each station reads what earlier ones wrote, and writes its own part. */
export class Passage {
  readonly line: Line;
  readonly call: ToolCall;
  readonly options: RunOptions;
  /** Its place among calls that run together; left while someone is asked. */
  readonly slot: Slot | undefined;
  readonly session: OpenSession | undefined;
  readonly startedAt = Date.now();
  readonly startedAtMonotonic = clock.now();
  readonly context: CallContext;
  journal: JournalEntry | undefined = undefined;
  /** The tool that was bound at look-up: a later removal does not change it. */
  entry: Entry | undefined = undefined;
  renames: Readonly<Record<string, string>> | undefined = undefined;
  input: JsonObject = NOTHING;
  /** In place of the call's own input: a hook or a person has rewritten it. */
  replacement: JsonObject | undefined = undefined;
  /** How often hooks have done that. */
  rewrites = 0;
  coerced: readonly string[] | undefined = undefined;
  job: Job | undefined = undefined;
  verdict: Verdict | undefined = undefined;
  /** A hook wants someone asked, whatever policy says. */
  tightened: { readonly hook: string; readonly reason: string } | undefined = undefined;
  /** A person has written the very input that is judged now. */
  isApproved = false;
  executor: Executor | undefined = undefined;
  limits: Limits | undefined = undefined;
  /** Files that the call says it changes, where somebody would hear of it. */
  targets: readonly PathFact[] = NO_TARGETS;
  attempts = 0;
  output: unknown = undefined;
  content: readonly Content[] = NO_CONTENT;
  data: Json | undefined = undefined;
  truncated: Truncated | undefined = undefined;

  constructor(line: Line, call: ToolCall, options: RunOptions, slot?: Slot) {
    this.line = line;
    this.call = call;
    this.options = options;
    this.slot = slot;
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
  async orCancelled<T>(waiting: T | PromiseLike<T>): Promise<T> {
    if (!isThenable(waiting)) return waiting;
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

/** A station of the line: nothing when the call may go on, the fault when it may not, `AGAIN` when it starts over. */
export type Station = (passage: Passage) => StationOutcome | Promise<StationOutcome>;
export type StationOutcome = Fault | typeof AGAIN | undefined;

/** Said by a station that has put another input in place of the call's own: it is checked and judged from the start. */
export const AGAIN = Symbol("again");

const NOTHING: JsonObject = Object.freeze({});
const NO_CONTENT: readonly Content[] = Object.freeze([]);
const NO_TARGETS: readonly PathFact[] = [];

/** What an earlier station must have written; its absence is a bug of the line. */
export function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`the line has no ${what} at this station`);
  return value;
}

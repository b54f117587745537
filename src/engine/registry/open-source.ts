import { ToolError } from "../../core/errors.ts";
import type { Listener } from "../../core/events.ts";
import type { Fault } from "../../core/result.ts";
import type { SourceProblem, SourceState, ToolSource } from "../../core/source.ts";
import { toFault } from "../../util/json/fault.ts";
import type { Holding, Swapped } from "./holdings.ts";
import { oneAtATime } from "../../util/async/one-at-a-time.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

/** What became of one load. A failed one changes nothing. */
export interface LoadOutcome extends Swapped {
  readonly error?: Fault;
}

/** A source that an engine has: loaded once at a time, and never gone before a new load has succeeded. */
export interface OpenSource {
  readonly name: string;
  state(): SourceState;
  problems(): readonly SourceProblem[];
  /** Begins the first load, unless it has begun. */
  start(): void;
  /** Settles when the load that runs now has ended; undefined where none runs. Never rejects. */
  loading(): Promise<LoadOutcome> | undefined;
  /** Loads it as it is now: a load that runs already is followed by another one, however many ask. Never rejects. */
  refresh(): Promise<LoadOutcome>;
  close(): Promise<void>;
}

export interface OpenSourceOptions {
  readonly source: ToolSource;
  readonly holding: Holding;
  readonly isWatched: boolean;
  readonly send: Listener;
}

const NOTHING: Swapped = { added: [], changed: [], removed: [] };

export function openSource({ source, holding, isWatched, send }: OpenSourceOptions): OpenSource {
  const { name } = source;
  const closing = new AbortController();
  let state: SourceState = "not_started";
  let own: readonly SourceProblem[] = [];
  let error: Fault | undefined;
  let stopWatching: (() => void) | undefined;

  const problems = (): readonly SourceProblem[] => {
    const failure = error === undefined ? [] : [failureOf(name, error)];
    return [...failure, ...own, ...holding.problems()];
  };
  const enter = (entered: SourceState): void => {
    state = entered;
    const counts = { tools: holding.tools(), problems: problems().length };
    send({ type: "source.changed", source: name, state, ...counts });
  };
  const load = async (): Promise<LoadOutcome> => {
    enter("in_progress");
    try {
      const loaded = await untilAborted(source.load(closing.signal), closing.signal);
      const swapped = holding.swap(loaded.tools);
      own = loaded.problems;
      error = undefined;
      enter("complete");
      return swapped;
    } catch (fault) {
      error = toFault(fault);
      enter("failed");
      return { ...NOTHING, error };
    }
  };
  const loads = oneAtATime(load);
  const refresh = (): Promise<LoadOutcome> => {
    if (closing.signal.aborted) return Promise.resolve({ ...NOTHING, error: toFault(closing.signal.reason) });
    // Before the load, so that what changes while it runs is noticed.
    if (isWatched) stopWatching ??= watch(source, () => void refresh());
    return loads.run();
  };
  return {
    name,
    state: () => state,
    problems,
    start: () => void (state === "not_started" && refresh()),
    loading: () => loads.current(),
    refresh,
    async close() {
      stopWatching?.();
      closing.abort(new ToolError("CANCELLED", `the engine was closed while "${name}" was loading`));
      await loads.current();
      await source.close?.();
    },
  };
}

/** A source that cannot be watched is one that has to be refreshed by hand. */
function watch(source: ToolSource, changed: () => void): () => void {
  try {
    return source.watch?.(changed) ?? ignore;
  } catch {
    return ignore;
  }
}

function ignore(): void {
  // There is nothing to stop.
}

function failureOf(source: string, { message, hint }: Fault): SourceProblem {
  return { source, subject: source, reason: "failed", message, ...(hint !== undefined && { hint }) };
}

import { ToolError } from "../../core/errors.ts";
import { originOf, type Listener } from "../../core/events.ts";
import type { Fault } from "../../core/result.ts";
import type { Loaded, SourceProblem, SourceState, ToolSource } from "../../core/source.ts";
import type { Tool } from "../../core/tool.ts";
import { oneAtATime } from "../../util/async/one-at-a-time.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import { createValidators, prepareValidators } from "./registry.ts";
import type { SourceTools, ToolChanges } from "./source-tools.ts";

/** The changes of one load. A failed load changes nothing. */
export interface LoadOutcome extends ToolChanges {
  readonly error?: Fault;
}

/** Loads one source, one load at a time. Its tools stay until a new load has succeeded. */
export interface SourceLoader {
  readonly name: string;
  state(): SourceState;
  problems(): readonly SourceProblem[];
  /** Returns false if none of its tools can have this name. */
  mayProvide(name: string): boolean;
  /** Returns true if the source says that a tool of this name is its own. */
  claims(name: string): boolean;
  /** Starts the first load, unless it has started. */
  start(): void;
  /** Returns the running load, or undefined. The promise never rejects. */
  loading(): Promise<LoadOutcome> | undefined;
  /** Returns a promise that resolves when the source offers tools or has loaded; undefined if it does or has. Never rejects. */
  offered(): Promise<unknown> | undefined;
  /** Loads the source as it is now. All refreshes during a load share the one that follows it. Never rejects. */
  refresh(): Promise<LoadOutcome>;
  close(): Promise<void>;
}

interface SourceLoaderOptions {
  readonly source: ToolSource;
  readonly tools: SourceTools;
  readonly isWatched: boolean;
  readonly emit: Listener;
}

const NO_CHANGES: ToolChanges = { added: [], changed: [], removed: [] };

export function createSourceLoader({ source, tools, isWatched, emit }: SourceLoaderOptions): SourceLoader {
  const { name } = source;
  const closing = new AbortController();
  let state: SourceState = "not_started";
  let loadProblems: readonly SourceProblem[] = [];
  let error: Fault | undefined;
  let stopWatching: (() => void) | undefined;
  let offer: Promise<unknown> | undefined;

  const problems = (): readonly SourceProblem[] => {
    const failure = error === undefined ? [] : [toProblem(name, error)];
    return [...failure, ...loadProblems, ...tools.problems()];
  };
  const enter = (entered: SourceState): void => {
    state = entered;
    const counts = { tools: tools.count(), problems: problems().length };
    emit({ ...originOf(), type: "source.changed", source: name, state, ...counts });
  };
  const load = async (): Promise<LoadOutcome> => {
    enter("in_progress");
    try {
      const loading = untilAborted(source.load(closing.signal), closing.signal);
      offer ??= storedTools(source, loading).then((last) => last.length > 0 && tools.replace(last));
      const loaded = await checkLoaded(await loading);
      const changes = tools.replace(loaded.tools);
      loadProblems = loaded.problems;
      error = undefined;
      enter("complete");
      return changes;
    } catch (thrown) {
      error = toFault(thrown);
      enter("failed");
      return { ...NO_CHANGES, error };
    }
  };
  const loads = oneAtATime(load);
  const refresh = (): Promise<LoadOutcome> => {
    if (closing.signal.aborted)
      return Promise.resolve({ ...NO_CHANGES, error: toFault(closing.signal.reason) });
    // Watching starts before the load, so that a change during the load is noticed.
    if (isWatched) stopWatching ??= watch(source, () => void refresh());
    return loads.run();
  };
  return {
    name,
    state: () => state,
    problems,
    mayProvide: (tool) => source.mayProvide?.(tool) !== false,
    claims: (tool) => source.mayProvide?.(tool) === true,
    start: () => void (state === "not_started" && refresh()),
    loading: () => loads.current(),
    offered: () => (tools.count() > 0 ? undefined : offered(tools, offer, loads.current())),
    refresh,
    async close() {
      stopWatching?.();
      closing.abort(new ToolError("CANCELLED", `the engine was closed while "${name}" was loading`));
      await loads.current();
      await source.close?.();
    },
  };
}

/** Resolves when the tools of the last time are offered, or if there are none, when the load is done. */
function offered(
  tools: SourceTools,
  offer: Promise<unknown> | undefined,
  current: Promise<unknown> | undefined,
): Promise<unknown> | undefined {
  return current && (offer ?? current).then(() => (tools.count() > 0 ? undefined : current));
}

/** Returns the tools of a source's last time; none if it has loaded before they are read. Never rejects. */
async function storedTools(source: ToolSource, loading: Promise<unknown>): Promise<readonly Tool[]> {
  if (source.stored === undefined) return [];
  const loaded = loading.then(
    () => undefined,
    () => undefined,
  );
  const stored = (await Promise.race([source.stored().catch(() => undefined), loaded])) ?? [];
  await prepareSchemas(stored);
  return stored;
}

/** Returns what a source has loaded, also if it names no problems. Rejects if it has no list of tools: plain JavaScript has no type check. */
async function checkLoaded(loaded: Partial<Loaded> | undefined): Promise<Loaded> {
  const { tools, problems = [] } = loaded ?? {};
  if (Array.isArray(tools)) {
    await prepareSchemas(tools);
    return { tools, problems };
  }
  throw new ToolError("INVALID_OUTPUT", "load() returned no list of tools", { hint: "return { tools: [] }" });
}

/** Loads what the schemas of these tools need to be compiled. */
async function prepareSchemas(tools: readonly Tool[]): Promise<void> {
  for (const { input, output } of tools) {
    const waiting = prepareValidators(createValidators(input, output));
    if (waiting !== undefined) return waiting;
  }
}

/** A source whose watch fails must be refreshed by hand. */
function watch(source: ToolSource, changed: () => void): () => void {
  const doNothing = (): void => undefined;
  try {
    return source.watch?.(changed) ?? doNothing;
  } catch {
    return doNothing;
  }
}

function toProblem(source: string, { message, hint }: Fault): SourceProblem {
  return { source, subject: source, reason: "failed", message, ...defined({ hint }) };
}

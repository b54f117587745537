import type { Engine } from "../../../engine/types/engine.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** How long the first request waits for sources, as the first list of the gateway does. */
const READY_MS = 3000;

type ToolsWait = (signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Creates a wait for the tools of an engine's sources: of a source that offers those of its last time nothing is missing. It takes three
 * seconds at most, once for an engine, and returns the sources that are missing then. Ends early, and never rejects, if the signal is aborted.
 */
export function createToolsWait({ sources }: Pick<Engine, "sources">, readyMs = READY_MS): ToolsWait {
  let waiting: Promise<unknown> | undefined;
  return async (signal) => {
    waiting ??= withTimeout(sources.offered(), readyMs, () => undefined);
    await untilAborted(waiting, signal).catch(() => undefined);
    return sources.missing();
  };
}

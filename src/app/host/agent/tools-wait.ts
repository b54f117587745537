import type { Engine } from "../../../engine/types/engine.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** How long the first request waits for sources, as the first list of the gateway does. */
const READY_MS = 3000;

type ToolsWait = (signal: AbortSignal, late: (sources: readonly string[]) => void) => Promise<void>;

/**
 * Creates a wait for the sources of an engine, so that the first request to a model has every tool. It takes three seconds at most, once
 * for an engine, and reports the sources that are still loading then. Ends early, and never rejects, if the signal is aborted.
 */
export function createToolsWait({ sources }: Pick<Engine, "sources">, readyMs = READY_MS): ToolsWait {
  let waiting: Promise<readonly string[]> | undefined;
  let isReported = false;
  return async (signal, late) => {
    waiting ??= withTimeout(sources.settled(), readyMs, () => undefined).then(() => sources.loading());
    const open = await untilAborted(waiting, signal).catch(() => []);
    if (isReported || open.length === 0) return;
    isReported = true;
    late(open);
  };
}

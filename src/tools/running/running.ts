import type { ToolContext } from "../../core/context.ts";
import { SessionKey } from "../../core/session/session.ts";
import { createRoster } from "../../system/process/roster.ts";
import {
  BackgroundKey,
  createBackgroundProcesses,
  type BackgroundProcesses,
} from "./background-processes.ts";
import { DEFAULT_LIMITS, type RunningOptions } from "./options.ts";
import { TerminalsKey, createTerminals, type Terminals } from "./terminals.ts";

/** What the tools that run programs share: options, the record of running processes, and the state of each session. */
export type Running = ReturnType<typeof createRunning>;

/** Creates the shared state. Nothing runs or is written before the first call. */
export function createRunning(options: RunningOptions) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const roster = createRoster(options.stateFolder);
  return {
    ...options,
    limits,
    roster,
    /** Returns the background processes of the call's session. */
    processesOf: (context: ToolContext): BackgroundProcesses =>
      context
        .get(SessionKey)
        .getOrCreate(BackgroundKey, () =>
          createBackgroundProcesses(limits.processes, options.isOutside === true ? "host" : "bg"),
        ),
    /** Returns the terminals of the call's session. */
    terminalsOf: (context: ToolContext): Terminals =>
      context
        .get(SessionKey)
        .getOrCreate(TerminalsKey, () => createTerminals({ limits, roster, launcher: options.launcher })),
  };
}

import type { ToolContext } from "../../core/context.ts";
import { Session } from "../../core/session/session.ts";
import type { Roster } from "../../system/process/roster.ts";
import { createRoster } from "../../system/process/roster.ts";
import type { BackgroundProcesses } from "./background-processes.ts";
import { BackgroundKey, createBackgroundProcesses } from "./background-processes.ts";
import type { RunningLimits, RunningOptions } from "./options.ts";
import { DEFAULT_LIMITS } from "./options.ts";
import type { Terminals } from "./terminals.ts";
import { TerminalsKey, createTerminals } from "./terminals.ts";

/** What the tools of the family share: the options, the roster of what runs, and what lives in each session. */
export interface Running extends RunningOptions {
  readonly limits: RunningLimits;
  readonly roster: Roster;
  /** The background processes of the call's session. */
  processesOf(context: ToolContext): BackgroundProcesses;
  /** The terminals of the call's session. */
  terminalsOf(context: ToolContext): Terminals;
}

/** Makes what the tools of the family share. Nothing runs, and nothing is written, before the first call. */
export function createRunning(options: RunningOptions): Running {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const roster = createRoster(options.stateFolder);
  const { environment } = options;
  return {
    ...options,
    limits,
    roster,
    processesOf: (context) =>
      context.get(Session).getOrCreate(BackgroundKey, () => createBackgroundProcesses(limits.processes)),
    terminalsOf: (context) =>
      context.get(Session).getOrCreate(TerminalsKey, () => createTerminals({ environment, limits, roster })),
  };
}

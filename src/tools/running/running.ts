import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { Session, type SessionResource } from "../../core/session/session.ts";
import { createMarker } from "../../system/process/marker.ts";
import { createRoster, type Roster } from "../../system/process/roster.ts";
import { endMarked } from "../../system/process/tree.ts";
import {
  BackgroundKey,
  createBackgroundProcesses,
  type BackgroundProcesses,
} from "./background-processes.ts";
import { DEFAULT_LIMITS, type RunningLimits, type RunningOptions } from "./options.ts";
import { TerminalsKey, createTerminals, type Terminals } from "./terminals.ts";

/** What the tools that run programs share: options, the record of running processes, and the state of each session. */
export interface Running extends RunningOptions {
  readonly limits: RunningLimits;
  readonly roster: Roster;
  /** Returns the marker of the session's commands: what they leave behind ends with the session. */
  groupOf(context: ToolContext): string;
  /** Returns the background processes of the call's session. */
  processesOf(context: ToolContext): BackgroundProcesses;
  /** Returns the terminals of the call's session. */
  terminalsOf(context: ToolContext): Terminals;
}

/** Creates the shared state. Nothing runs or is written before the first call. */
export function createRunning(options: RunningOptions): Running {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const roster = createRoster(options.stateFolder);
  const { environment } = options;
  return {
    ...options,
    limits,
    roster,
    groupOf: (context) => context.get(Session).getOrCreate(GroupKey, createGroup),
    processesOf: (context) =>
      context.get(Session).getOrCreate(BackgroundKey, () => createBackgroundProcesses(limits.processes)),
    terminalsOf: (context) =>
      context.get(Session).getOrCreate(TerminalsKey, () => createTerminals({ environment, limits, roster })),
  };
}

const GroupKey: Key<string> = createKey("CommandGroup");

function createGroup(): SessionResource<string> {
  const marker = createMarker();
  return { value: marker, close: () => endMarked(marker, KILL_MS) };
}

const KILL_MS = 1000;

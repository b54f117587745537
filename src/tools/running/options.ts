/** What the tools of the family need. */
export interface RunningOptions {
  /** The canonical folder where commands run unless told otherwise. */
  readonly root: string;
  /** What a leading `~/` in a folder stands for. */
  readonly home?: string;
  /** All that a command sees of the environment; made by `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Where running processes are noted, one small file each, so that `endOrphans` can end them when this process was
   * killed. Left out: nothing is written, and what a killed process had started runs on.
   */
  readonly stateFolder?: string;
  readonly limits?: Partial<RunningLimits>;
}

/** How much may live in one session, and for how long. */
export interface RunningLimits {
  /** How many processes run in the background at a time; 16. */
  readonly processes: number;
  /** How long one of them may run; an hour. */
  readonly processMs: number;
  /** How many terminals are open at a time; 8. */
  readonly terminals: number;
  /** How long a terminal that nobody uses stays open; half an hour. */
  readonly terminalIdleMs: number;
}

export const DEFAULT_LIMITS: RunningLimits = {
  processes: 16,
  processMs: 3_600_000,
  terminals: 8,
  terminalIdleMs: 1_800_000,
};

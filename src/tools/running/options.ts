/** The options of the tools that run programs. */
export interface RunningOptions {
  /** The canonical path of the default working folder. */
  readonly root: string;
  /** Further canonical folders of the workspace, which commands in a sandbox may read. */
  readonly roots?: readonly string[];
  /** Folders of Toolwright itself, which commands in a sandbox do not see. */
  readonly stateFolders?: readonly string[];
  /** What a leading `~/` in a folder stands for. */
  readonly home?: string;
  /** The complete environment of commands; created by `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Where running processes are recorded, one small file each, so that `endOrphans` can end them after this process was
   * killed. Default: nothing is recorded, and the processes of a killed process continue.
   */
  readonly stateFolder?: string;
  /** Default: those of `RunningLimits`. */
  readonly limits?: Partial<RunningLimits>;
  /** The program, with arguments, that starts all others; default: they are started directly. */
  readonly launcher?: readonly string[];
  /** True: programs run in a sandbox elsewhere, and these tools run only those that a call asked to run outside of it. */
  readonly isOutside?: boolean;
}

/** The time from TERM to KILL. */
export const KILL_MS = 1000;

/** The limits of one session. */
export interface RunningLimits {
  /** Running background processes; default: 16. */
  readonly processes: number;
  /** The time limit of a background process; default: one hour. */
  readonly processMs: number;
  /** Open terminals; default: 8. */
  readonly terminals: number;
  /** How long an unused terminal stays open; default: 30 minutes. */
  readonly terminalIdleMs: number;
  /** Open Python interpreters; default: 4. */
  readonly interpreters: number;
}

export const DEFAULT_LIMITS: RunningLimits = {
  processes: 16,
  processMs: 3_600_000,
  terminals: 8,
  terminalIdleMs: 1_800_000,
  interpreters: 4,
};

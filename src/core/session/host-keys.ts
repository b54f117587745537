import { createKey, type Key } from "../context.ts";
import type { Mode } from "../policy.ts";

/** The settings of the host program that matter to tools; none of them is secret. */
export interface Settings {
  /** Canonical folders that tools may touch. */
  readonly workspace: readonly string[];
  readonly mode: Mode;
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** `provider/name`; undefined if none is set. */
  readonly model: string | undefined;
}

/** Provided by the command line, the REPL and the gateway; provide a value in your own program. */
export const SettingsKey: Key<Settings> = createKey("Settings");

/** A background process of `shell`. */
export interface ProcessInfo {
  /** The id that the tools use. */
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly isRunning: boolean;
  /** Null while it runs, or if a signal ended it. */
  readonly exitCode: number | null;
}

/** The background processes of the call's session. */
export interface Processes {
  list(): readonly ProcessInfo[];
  /** Returns the last part of the output. Throws for an unknown id. */
  output(id: string): string;
  /** Ends a process and everything it started. Rejects for an unknown id. */
  stop(id: string): Promise<void>;
}

/** Provided by `builtInContext`. */
export const ProcessesKey: Key<Processes> = createKey("Processes");

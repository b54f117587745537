import { createKey, type Key } from "../context.ts";
import type { Json } from "../json.ts";
import type { Mode } from "../policy.ts";

/** The settings of the host program that matter to tools; none of them is secret. */
export interface Settings {
  /** Canonical folders that tools may touch. */
  readonly workspace: readonly string[];
  readonly mode: Mode;
  readonly timeoutMs: number;
  /** How many calls run at a time. */
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
  /** The command line that the call had. */
  readonly command: string;
  /** False once it has ended; its output can still be read. */
  readonly isRunning: boolean;
  /** Null while it runs, or if a signal ended it. */
  readonly exitCode: number | null;
}

/** The background processes of the call's session. */
export interface Processes {
  /** Returns the running processes, and those that ended lately. */
  list(): readonly ProcessInfo[];
  /** Returns the last part of the output. Throws for an unknown id. */
  output(id: string): string;
  /** Ends a process and everything it started. Rejects for an unknown id. */
  stop(id: string): Promise<void>;
}

/** Provided by `builtInContext`. */
export const ProcessesKey: Key<Processes> = createKey("Processes");

/** A tab of the session's browser. */
export interface BrowserTab {
  /** The id that the tools use. */
  readonly id: string;
  /** The address of its page. */
  readonly url: string;
  /** True for the tab that calls work in. */
  readonly isShown: boolean;
}

/** The browser of the call's session: the one that the tools of the browser use, with the same limits on what it may reach. */
export interface BrowserAccess {
  /** Returns the open tabs; none if no browser runs. Starts nothing. */
  tabs(): readonly BrowserTab[];
  /** Opens an address in the shown tab, and starts the browser if it does not run. Rejects with `DENIED` for a host that it may not reach. */
  open(url: string): Promise<void>;
  /** Runs JavaScript in the shown page, an expression or statements with `return`, and returns its value. Rejects if no page is open. */
  evaluate(code: string): Promise<Json>;
  /** Ends the browser, if it runs. */
  close(): Promise<void>;
}

/** Provided by `builtInContext`. */
export const BrowserKey: Key<BrowserAccess> = createKey("Browser");

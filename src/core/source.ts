import type { AnyTool } from "./tool.ts";

/** A part of a source that cannot be used, and why. Other parts are not affected. */
export interface SourceProblem {
  readonly source: string;
  /** What it is about: a file, a server, a tool. */
  readonly subject: string;
  /** What programs decide by. */
  readonly reason:
    | "timeout"
    | "exit_code"
    | "not_json"
    | "bad_schema"
    | "bad_name"
    | "name_taken"
    | "too_large"
    | "unreachable"
    /** The server refuses access: it needs a login, or other credentials. */
    | "unauthorized"
    | "untrusted"
    | "changed"
    | "failed";
  readonly message: string;
  readonly hint?: string;
}

/** The load state of a source. A failed source keeps the tools of its last successful load. */
export type SourceState = "not_started" | "in_progress" | "complete" | "failed";

export interface Loaded {
  /** Those that can be used. */
  readonly tools: readonly AnyTool[];
  readonly problems: readonly SourceProblem[];
}

/** Loads tools. The registry reports name clashes as problems. */
export interface ToolSource {
  readonly name: string;
  /**
   * Returns all its current tools. Rejects only if the source as a whole cannot be read. An unchanged tool should be
   * returned as the same object: then the registry does nothing.
   */
  load(signal: AbortSignal): Promise<Loaded>;
  /** Returns the tools of the last time, which are offered until the first load is done; undefined if there are none. */
  stored?(): Promise<readonly AnyTool[] | undefined>;
  /** Returns false for a name that none of its tools can have: a call of that name does not wait for the source. */
  mayProvide?(name: string): boolean;
  /** Calls back when a new load would return something else; returns a function that stops it. */
  watch?(changed: () => void): () => void;
  /** Calls `learn` with each value that logs in, those it gets later too: the engine masks them. Called once, before the first load. */
  teachSecrets?(learn: (secret: string) => void): void;
  close?(): Promise<void>;
}

import type { Tool } from "./tool.ts";

/** Something of a source that cannot be used, and why. The others are not hurt by it. */
export interface SourceProblem {
  readonly source: string;
  /** What it is about: a file, a server, a tool. */
  readonly subject: string;
  readonly reason:
    | "timeout"
    | "exit_code"
    | "not_json"
    | "bad_schema"
    | "bad_name"
    | "name_taken"
    | "too_large"
    | "unreachable"
    | "untrusted"
    | "changed"
    | "failed";
  readonly message: string;
  readonly hint?: string;
}

/** How far the loading of a source has come. What is failed keeps the tools of its last good load. */
export type SourceState = "not_started" | "in_progress" | "complete" | "failed";

export interface Loaded {
  readonly tools: readonly Tool[];
  readonly problems: readonly SourceProblem[];
}

/** Where tools come from. Names that clash are the registry's affair: it reports them as problems. */
export interface ToolSource {
  readonly name: string;
  /**
   * All its tools as they are now. It rejects only where the source as a whole cannot be read. A tool that has not changed
   * is best given as the same object again: then nothing is done about it.
   */
  load(signal: AbortSignal): Promise<Loaded>;
  /** Calls back when a new load would give something else; gives back the way to stop. */
  watch?(changed: () => void): () => void;
  close?(): Promise<void>;
}

/** A word of a command, as the shell would hand it to the program. */
export interface Word {
  readonly text: string;
  /** False where an expansion may make something else of it, or several words: then `text` is the nearest guess. */
  readonly literal: boolean;
}

export interface Redirect {
  readonly access: "read" | "write";
  readonly target: Word;
}

/** One program as the shell would start it. */
export interface SimpleCommand {
  /** The program first; none for a bare redirect or a bare assignment. */
  readonly words: readonly Word[];
  /** `NAME=value` before the program. */
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** An input or output of it is moved without naming a file: a pipe, `2>&1`, a here-document, the background. */
  readonly rewired?: true;
  /** Every folder it may be started in; none where that cannot be told. */
  readonly cwds: readonly string[];
  /** What it is started by, outermost first: wrappers, `eval`, `bash -c`, `find -exec`, a substitution. */
  readonly via: readonly string[];
}

/** A path that a command names. */
export interface PathWord {
  readonly text: string;
  readonly cwd: string;
  readonly access: "read" | "write";
  /** It looks like a path, but the program may mean something else by it. */
  readonly suspected?: true;
}

/**
 * What a text would make a shell do. `proven`: exactly these commands, with literal words, in this order. `read`: all of
 * these, and perhaps more. `unreadable`: nobody can tell.
 */
export interface CommandReading {
  readonly certainty: "proven" | "read" | "unreadable";
  /** At every depth: a wrapper, and what it wraps. */
  readonly commands: readonly SimpleCommand[];
  readonly paths: readonly PathWord[];
  /** Proven to read only: nothing is written, started or sent. */
  readonly isReadOnly: boolean;
  /** Set where it is proven to be this one program, which needs no shell. */
  readonly argv?: readonly string[];
  /** Why it is not proven, for people. */
  readonly doubt?: string;
}

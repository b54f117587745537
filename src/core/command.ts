/** A shell word, as the shell would pass it to the program. */
export interface Word {
  readonly text: string;
  /** False if an expansion may turn it into something else, or into several words: then `text` is the best guess. */
  readonly literal: boolean;
  /** Of what a program reads: names that the unknown text may contain. */
  readonly guess?: string;
}

export interface Redirect {
  readonly access: "read" | "write";
  /** The word after the `<` or `>`. */
  readonly target: Word;
}

/** One program as the shell would start it. */
export interface SimpleCommand {
  /** The program and its arguments; empty for a bare redirect or assignment. */
  readonly words: readonly Word[];
  /** `NAME=value` before the program. */
  readonly assignments: readonly Word[];
  /** The files that its input and output are redirected to. */
  readonly redirects: readonly Redirect[];
  /** Its input or output is redirected without naming a file: a pipe, `2>&1`, a here-document, the background. */
  readonly rewired?: true;
  /** What it reads on standard input, if that is a pipe, a file or a here-document; not literal if unknown. */
  readonly input?: Word;
  /** Every folder it may be started in; empty if unknown. */
  readonly cwds: readonly string[];
  /** What starts it, outermost first: wrappers, `eval`, `bash -c`, `find -exec`, a substitution. */
  readonly via: readonly string[];
}

/** A path that a command names. */
export interface PathWord {
  readonly text: string;
  readonly cwd: string;
  readonly access: "read" | "write";
  /** It looks like a path, but may be something else to the program. */
  readonly suspected?: true;
}

/**
 * The commands that a shell would run for a text. `proven`: exactly these, with literal words, in this order. `read`: all
 * of these, and perhaps more. `unreadable`: unknown.
 */
export interface CommandReading {
  /** How sure it is that `commands` are what the shell runs. */
  readonly certainty: "proven" | "read" | "unreadable";
  /** At every depth: a wrapper, and the command it wraps. */
  readonly commands: readonly SimpleCommand[];
  /** Every path that a command in it names. */
  readonly paths: readonly PathWord[];
  /** Proven to only read: nothing is written, started or sent. */
  readonly isReadOnly: boolean;
  /**
   * Set if read-only sandboxes work: a command that runs only because it is proven to read runs in one. `useful`: the
   * proof is simple enough to run it without one too.
   */
  readonly box?: "needed" | "useful";
  /** It is not proven to only read, but does nothing else in a read-only sandbox, and those work: `box` is `needed`. */
  readonly readsInBox?: true;
  /** Set at the level `read-only`: without approval it may run in a read-only sandbox, in which it can change nothing and has no network. */
  readonly mayBeTried?: true;
  /** No command in it reads the paths to work on from its input or from a file. */
  readonly namesAllPaths?: true;
  /** A shell or interpreter in it runs text that is only known at run time. */
  readonly runsUnknown?: true;
  /** The files of its folder that may name programs which it would start: no rule allows such a command. */
  readonly folderPrograms?: string;
  /** Set if it is proven to be this one program, which needs no shell. */
  readonly argv?: readonly string[];
  /** Why it is not proven, as text for people. */
  readonly doubt?: string;
}

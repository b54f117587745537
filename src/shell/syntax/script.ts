import type { Word } from "../../core/command.ts";

/** The initial state of a shell. */
export interface ShellPlace {
  /** The canonical folder it starts in. */
  readonly cwd: string;
  /** The home folder, for `~` and `cd` without arguments; undefined if unknown. */
  readonly home?: string | undefined;
}

/** A text that a command passes to a shell. */
export interface Script {
  readonly text: Word;
  readonly cwds: readonly string[];
  readonly via: readonly string[];
  /** What its commands read on standard input, unless they have an input of their own. */
  readonly input?: Word;
}

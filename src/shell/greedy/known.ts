import type { LexedWord } from "./lexed.ts";

/** What is known of the shell that a text is for, by which its expansions are guessed. */
export interface Known {
  readonly home?: string;
  readonly cwd: string;
  /** What the text itself gives its variables. */
  readonly values: ReadonlyMap<string, readonly LexedWord[]>;
  /** Which of several values a variable is taken to have: 0 for the last one given. */
  readonly variant: number;
  /** Variables whose value is being guessed already, and how far a guess rests on other guesses. */
  readonly within: readonly string[];
  /** How many more values may be guessed, over the whole text. */
  readonly effort: { left: number };
}

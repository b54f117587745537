import type { SimpleCommand } from "../../core/command.ts";
import type { Budget } from "../syntax/budget.ts";
import type { Script } from "../syntax/script.ts";
import type { LexedWord } from "./lexed.ts";
import type { Findings } from "./scan.ts";

/** What is known about the shell and its variables; expansions are guessed from it. */
export interface Known {
  readonly home?: string;
  readonly cwd: string;
  /** The values that the text assigns to variables. */
  readonly values: ReadonlyMap<string, readonly LexedWord[]>;
  /** Which of several values of a variable to use: 0 is the last one assigned. */
  readonly variant: number;
  /** Variables whose value is being guessed; its length is the nesting of guesses. */
  readonly within: readonly string[];
  readonly budget: Budget;
}

/** The folders in which a command may start, and what starts it. */
export interface Origin {
  readonly cwds: readonly string[];
  readonly via: readonly string[];
}

/** The results collected while walking a text. */
export interface Collected {
  readonly commands: SimpleCommand[];
  readonly scripts: Script[];
  /** The first reason why the results may be incomplete. */
  doubt?: string;
  readonly findings: Findings;
  readonly known: Known;
}

/** Records why the results may be incomplete. */
export function doubt(collected: Collected, reason: string): void {
  collected.doubt ??= reason;
}

import type { PathWord, SimpleCommand, Word } from "../core/command.ts";
import type { Policy } from "../core/policy.ts";

/** What is known of one simple command. */
export interface CommandTraits {
  /** Its base name; undefined where there is no program. */
  readonly program: string | undefined;
  /** It is found by its name alone, on the PATH. */
  readonly isPlainName: boolean;
  /** It reads only: nothing is written, started or sent. */
  readonly isReadOnly: boolean;
  /** Its options that execute or write. */
  readonly listedFlags: readonly string[];
  readonly paths: readonly PathWord[];
  /** Why it is never granted for good. */
  readonly ungrantable?: string;
}

/** A classic way to lose everything. */
export interface Disaster {
  readonly id: string;
  readonly decision: "deny" | "ask";
  readonly reason: string;
}

/** The arguments of a command, taken apart. */
export interface FlagSet {
  /** In one spelling each; with the value, where it is known, there is `-n=5` beside `-n`. */
  readonly flags: ReadonlySet<string>;
  /** More flags may be there than the words show. */
  readonly hasUnknown: boolean;
  /** The words that are neither flags nor their values. */
  readonly operands: readonly Word[];
}

/** What the tables of programs say. */
export interface CommandKnowledge {
  describe(command: SimpleCommand): CommandTraits;
  /** Of a program's arguments, the program itself left out. */
  flags(program: string, words: readonly Word[]): FlagSet;
  disaster(commands: readonly SimpleCommand[], text: string): Disaster | undefined;
}

/** How commands are read and what is known of them. */
export interface Commands {
  readonly knowledge: CommandKnowledge;
  readonly read: NonNullable<Policy["read"]>;
}

import type { CommandReading, PathWord, SimpleCommand, Word } from "../../core/command.ts";
import type { CommandFact } from "../../core/fact.ts";

/** The properties of a simple command. */
export interface CommandTraits {
  /** Its base name; undefined if there is no program. */
  readonly program: string | undefined;
  /** It is a bare name, found on the PATH. */
  readonly isPlainName: boolean;
  /** It writes, starts and sends nothing. */
  readonly isReadOnly: boolean;
  /** Its options that execute or write. */
  readonly listedFlags: readonly string[];
  /** Its options that make it work in another folder. */
  readonly movingFlags: readonly string[];
  readonly paths: readonly PathWord[];
  /** Where it reads paths that its arguments do not name: `file` is a list that is not read here. */
  readonly namesFrom?: "input" | "file";
  /** The files that it runs as scripts. */
  readonly scripts?: readonly string[];
  /** It only starts others, which are judged separately: a wrapper or a shell. */
  readonly isStarter?: true;
  /** Why a rule that allows it needs a warning. */
  readonly ungrantable?: string;
  /** It acts with other privileges, is part of a shell, or its program is not known: no rule that allows it is offered. */
  readonly isPrivileged?: true;
}

/** A command that is nearly always a disaster. */
export interface Disaster {
  readonly id: string;
  readonly decision: "deny" | "ask";
  readonly reason: string;
}

/** The arguments of a command, parsed. */
export interface FlagSet {
  /** Canonical spellings; if the value is known, `-n=5` in addition to `-n`. */
  readonly flags: ReadonlySet<string>;
  /** There may be more flags than the written ones. */
  readonly hasUnknown: boolean;
  /** The arguments that are neither flags nor flag values. */
  readonly operands: readonly Word[];
}

/** The program tables. */
export interface CommandKnowledge {
  describe(command: SimpleCommand): CommandTraits;
  /** Returns true if the tables have the program, by its base name. */
  knows(program: string): boolean;
  /** Returns true for interpreters, and programs that run the code of packages, projects and containers, by their base name. */
  isRunner(program: string): boolean;
  /** Returns true if the program runs code in another language, or from the files of a project or package. */
  runsCode(program: string): boolean;
  /** Parses the arguments of a program; `words` does not include the program. */
  flags(program: string, words: readonly Word[]): FlagSet;
  disaster(commands: readonly SimpleCommand[], text: string): Disaster | undefined;
}

/** The command reader and the program tables. */
export interface Commands {
  readonly knowledge: CommandKnowledge;
  /** Returns a promise only if a parser must be loaded first. */
  readonly read: (command: CommandFact) => CommandReading | Promise<CommandReading>;
}

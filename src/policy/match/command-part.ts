import type { SimpleCommand } from "../../core/command.ts";
import type { CommandKnowledge, CommandTraits, FlagSet } from "../../shell/command-knowledge.ts";
import { baseName, takeApart } from "./command-pattern.ts";
import { isStandardInput } from "../../shell/syntax/standard-input.ts";
import { fold } from "../../util/text/fold.ts";
import { goesDown } from "./goes-down.ts";

/** Programs that add arguments of their own finding to those that are written. */
const ADD_ARGUMENTS: ReadonlySet<string> = new Set(["xargs", "parallel"]);

/** Shells, which run whatever they are handed on their standard input. */
const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "ash",
  "zsh",
  "ksh",
  "mksh",
  "fish",
  "csh",
  "tcsh",
]);

const RUNS_FILE: ReadonlySet<string> = new Set([...SHELLS, ".", "source"]);

/** Programs that run what a word or their input says, in a language of their own. */
const RUNS_CODE =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|expect|rscript|julia|osascript|g?sed|[gmn]?awk|n?vim?|ex|ed|emacs|less|gdb|lldb|g?make|sqlite|psql|mysql|mariadb|tmux|screen|at|batch|hyperfine|gh)[\d.]*$/;

/** One simple command as rules look at it; what is costly is worked out when it is asked for, and once. */
export class CommandPart {
  readonly command: SimpleCommand;
  /** The folded base name of its program; undefined where there is none, or nobody can tell. */
  readonly program: string | undefined;
  /** It starts something that nobody has seen: a program still to be expanded, or a shell that reads its input. */
  readonly isBlind: boolean;
  /** More arguments may come than are written, or others. */
  readonly isOpen: boolean;
  /** It runs what a word or its input says, in a language that nobody reads here. */
  readonly runsCode: boolean;
  /** It runs a file: a script that it is given, or itself. */
  readonly runsFile: boolean;
  private readonly knowledge: CommandKnowledge | undefined;
  private knownGoesDown: boolean | undefined = undefined;
  private knownTraits: CommandTraits | undefined = undefined;
  private knownArguments: FlagSet | undefined = undefined;

  constructor(command: SimpleCommand, knowledge: CommandKnowledge | undefined) {
    const { words, via } = command;
    const [program] = words;
    this.command = command;
    this.knowledge = knowledge;
    this.program = program?.literal === true ? fold(baseName(program.text)) : undefined;
    this.isBlind = program?.literal === false || (SHELLS.has(this.program ?? "") && readsInput(command));
    this.runsCode = RUNS_CODE.test(this.program ?? "");
    this.runsFile = RUNS_FILE.has(this.program ?? "") || program?.text.includes("/") === true;
    this.isOpen =
      words.some((word) => !word.literal) || via.some((starter) => ADD_ARGUMENTS.has(baseName(starter)));
  }

  /** It looks at what is in folders. */
  get goesDown(): boolean {
    return (this.knownGoesDown ??= goesDown(this.program ?? "", this.command));
  }

  /** What the tables say of it; undefined where nobody knows programs. */
  get traits(): CommandTraits | undefined {
    return (this.knownTraits ??= this.knowledge?.describe(this.command));
  }

  /** Its literal arguments, taken apart. */
  get arguments(): FlagSet {
    const { words } = this.command;
    return (this.knownArguments ??= takeApart(
      this.program ?? "",
      words.slice(1).filter((word) => word.literal),
      this.knowledge,
    ));
  }
}

/** A shell without a script and without `-c`. */
function readsInput({ words }: SimpleCommand): boolean {
  return words
    .slice(1)
    .every(
      ({ text }) => isStandardInput(text) || (/^[-+](?!c)/.test(text) && !/^--(?:help|version)$/.test(text)),
    );
}

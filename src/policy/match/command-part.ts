import type { SimpleCommand, Word } from "../../core/command.ts";
import type { CommandKnowledge, CommandTraits, FlagSet } from "../../shell/syntax/command-knowledge.ts";
import {
  hasOpenAddress,
  isAnyHost,
  mayHaveAddress,
  mayNameHosts,
} from "../../shell/syntax/network-programs.ts";
import { comparesFolders, descends, followsLinks } from "../../shell/syntax/recursive-programs.ts";
import { baseName, isShellName, isStandardInput } from "../../shell/syntax/shell-arguments.ts";
import { mayTakeCommand, ownWords } from "../../shell/syntax/started-words.ts";
import { fold } from "../../util/text/fold.ts";

/** Programs that append arguments of their own to the written ones. */
const ADD_ARGUMENTS: ReadonlySet<string> = new Set(["xargs", "parallel"]);

/** Programs that run code in another language, given as an argument or on standard input. */
const RUNS_CODE =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|expect|r|rscript|julia|ansible|osascript|g?sed|[gmn]?awk|n?vim?|ex|ed|emacs|less|more|most|gdb|lldb|g?make|sqlite|psql|mysql|mariadb|tmux|screen|at|batch|hyperfine|gh|socat|zip|lftp|telnet)[\d.]*$/;

/** Programs that read commands with names of files on standard input, if they have such an argument: `put .env`, `base64 -in .env`. A patch names the files that it changes. */
const READS_COMMANDS: ReadonlyMap<string, RegExp> = new Map([
  ...["sftp", "ftp", "tftp", "smbclient", "openssl", "patch"].map((name) => [name, /(?:)/] as const),
  ...["ssh", "scp"].map((name) => [name, /^-F/] as const),
  ...["gpg", "gpg2"].map((name) => [name, /^--(?:command|mu|encrypt-f|decrypt-|verify-f)/] as const),
  ["git", /^(?:apply|am)$/],
]);

const SETS_VARIABLES: ReadonlySet<string> = new Set(["export", "declare", "typeset"]);
const NAMES_CONFIG = /^(?:GIT_CONFIG|HOME\b|XDG_CONFIG_HOME)/;

/** Programs that open none of the files named in their arguments. */
const WITHOUT_FILES: ReadonlySet<string> = new Set(
  "echo printf true false : sleep exit return date export unset local readonly shift wait kill pwd whoami".split(
    " ",
  ),
);

/** A simple command, prepared for matching. Costly properties are computed on first access and cached. */
export class CommandPart {
  readonly command: SimpleCommand;
  /** The folded base name of its program; undefined if there is none or it is not known. */
  readonly program: string | undefined;
  /** It starts an unknown program: the name is still to be expanded, or a shell reads commands from its input. */
  readonly isBlind: boolean;
  /** Its arguments may differ from the written ones. */
  readonly isOpen: boolean;
  /** Its program is in the tables, so they say what it starts. */
  readonly isKnown: boolean;
  /** It runs a file: a script, or a program given by its path. */
  readonly runsFile: boolean;
  /** It is a shell, or the builtin that runs a script. */
  readonly isShell: boolean;
  private readonly knowledge: CommandKnowledge | undefined;
  private cachedRunsCode: boolean | undefined = undefined;
  private cachedIsRecursive: boolean | undefined = undefined;
  private cachedTraits: CommandTraits | undefined = undefined;
  private cachedArguments: FlagSet | undefined = undefined;

  constructor(command: SimpleCommand, knowledge: CommandKnowledge | undefined) {
    const { words, via } = command;
    const [program] = words;
    this.command = command;
    this.knowledge = knowledge;
    this.program = program?.literal === true ? fold(baseName(program.text)) : undefined;
    this.isBlind = program?.literal === false || (isShellName(this.program) && readsInput(command));
    this.isKnown =
      program === undefined || knowledge === undefined || knowledge.knows(baseName(program.text));
    this.isShell = isShellName(this.program) || this.program === "." || this.program === "source";
    this.runsFile = this.isShell || program?.text.includes("/") === true;
    this.isOpen =
      words.some((word) => !word.literal) || via.some((starter) => ADD_ARGUMENTS.has(baseName(starter)));
  }

  /** It runs code in a language that is not parsed here, which is an argument or its input. */
  get readsCode(): boolean {
    return RUNS_CODE.test(this.program ?? "") || this.readsCommands || this.hasOtherConfig;
  }

  /** It is git with settings of its own, which may be programs, or it exports such settings. */
  private get hasOtherConfig(): boolean {
    const { assignments, words } = this.command;
    if (this.program === "git") return assignments.some(({ text }) => NAMES_CONFIG.test(text));
    return SETS_VARIABLES.has(this.program ?? "") && words.some(({ text }) => NAMES_CONFIG.test(text));
  }

  private get readsCommands(): boolean {
    const { input, words } = this.command;
    const sign = READS_COMMANDS.get(this.program ?? "");
    return input !== undefined && sign !== undefined && words.some(({ text }) => sign.test(text));
  }

  /** It runs such code, or code in files of a project. */
  get runsCode(): boolean {
    return (this.cachedRunsCode ??= this.readsCode || this.knowledge?.runsCode(this.program ?? "") === true);
  }

  /** It prints nothing but what the text of the command contains. */
  get printsKnownText(): boolean {
    const { words, input } = this.command;
    if (PRINTERS.has(this.program ?? "")) return words.every(({ literal }) => literal);
    return PASSES_ON.has(this.program ?? "") && input?.literal === true;
  }

  /** It opens none of the files named in its arguments. */
  get opensNoFiles(): boolean {
    return WITHOUT_FILES.has(this.program ?? "");
  }

  /** It runs code in its own language, of packages and projects, or in containers. */
  get isRunner(): boolean {
    return this.program !== undefined && this.knowledge?.isRunner(this.program) === true;
  }

  /** Its words or variables may be a command, though no table says where. */
  get mayTakeCommand(): boolean {
    return mayTakeCommand(this.program, this.command, this.isRunner);
  }

  /** Those of its words that are no command which it starts; of an interpreter, all are arguments of the code. */
  get ownWords(): readonly Word[] {
    return this.readsCode ? this.command.words : ownWords(this.program, this.command, this.isRunner);
  }

  /** Its bare arguments may be hosts. */
  get usesNetwork(): boolean {
    return mayNameHosts(this.program, this.command);
  }

  /** It has a word that may be a host, as in code. */
  get mayHaveAddress(): boolean {
    return mayHaveAddress(this.program, this.command, this.isRunner);
  }

  /** One of its arguments may be any host: of a network program each, of others the value of an option for an address. */
  get reachesAnyHost(): boolean {
    if (!this.usesNetwork) return hasOpenAddress(this.command);
    const { words, via } = this.command;
    return words.some(isAnyHost) || via.some((starter) => ADD_ARGUMENTS.has(baseName(starter)));
  }

  /** It reads the contents of folders. */
  get isRecursive(): boolean {
    return (this.cachedIsRecursive ??= descends(this.program ?? "", this.command.words));
  }

  /** It reads the folders that it names: their entries, or everything below them. */
  get readsFolders(): boolean {
    return comparesFolders(this.program ?? "");
  }

  /** It follows the links that it finds in folders. */
  get followsLinks(): boolean {
    return followsLinks(this.program ?? "", this.command.words);
  }

  /** What the program tables say about it; undefined without tables. */
  get traits(): CommandTraits | undefined {
    return (this.cachedTraits ??= this.knowledge?.describe(this.command));
  }

  /** Its literal arguments, parsed. */
  get arguments(): FlagSet {
    const { words } = this.command;
    return (this.cachedArguments ??= parseArguments(
      this.program ?? "",
      words.slice(1).filter((word) => word.literal),
      this.knowledge,
    ));
  }
}

const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf"]);
const PASSES_ON: ReadonlySet<string> = new Set(["cat", "tee"]);

/** Returns true for a target that keeps nothing. */
export function isWithoutStorage({ text, literal }: Word): boolean {
  return literal && /^\/dev\/(?:null|stdout|stderr|tty|fd\/[12])$/.test(text);
}

/** Returns true for the arguments of a shell without a script and without `-c`. */
function readsInput({ words }: SimpleCommand): boolean {
  return words
    .slice(1)
    .every(
      ({ text }) => isStandardInput(text) || (/^[-+](?!c)/.test(text) && !/^--(?:help|version)$/.test(text)),
    );
}

/** Parses the arguments of a program by its table; without tables, everything that looks like a flag is one. */
export function parseArguments(
  program: string,
  words: readonly Word[],
  knowledge: CommandKnowledge | undefined,
): FlagSet {
  if (knowledge !== undefined) return knowledge.flags(program, words);
  const flags = new Set(words.map(({ text }) => text).filter(isFlag));
  return { flags, hasUnknown: flags.size > 0, operands: words.filter(({ text }) => !isFlag(text)) };
}

function isFlag(text: string): boolean {
  return text.length > 1 && text !== "--" && (text.startsWith("-") || text.startsWith("+"));
}

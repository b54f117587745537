import type { Word } from "../../../core/command.ts";

/** `opaque`: harmless in itself, but what it does cannot be told from the words of the command. */
export type Effect = "safe" | "opaque" | "writes" | "executes";

/** `plain`: no path. `folder`: where it works from then on. `text`: a shell or the system would run it. `ranged`: a path is behind its last colon. */
export type ValueKind = "plain" | "read" | "write" | "folder" | "text" | "ranged";

/**
 * The options of a program, by effect. Items are apart by blanks; synonyms by commas, the first being the canonical one.
 * Each `=` is a value: `=r` a path it reads, `=w` a path it writes, `=d` a folder it goes to, `=x` text it has run, `=c` a path
 * it reads behind a colon; a
 * `?` at the end: only attached; `[=]`: only attached, and only to the long spelling. `-NUM` is any number. `"-n,--lines= --color=? -o,--output=w"`
 */
export interface Flags {
  readonly safe?: string;
  readonly opaque?: string;
  readonly writes?: string;
  readonly executes?: string;
}

/**
 * What the words are that are no options.
 * `copy`: the last is written. `pattern`: the first is none, unless a flag of `patternFlags` is there. `filter`: one is
 * read, a second is written. `owner`: the first is none, the rest is written. `archive`: the first is written, the rest read.
 * `script`: the first is a file that is run; `shell`: unless there is a `-c`. `roots`: those before the first option. `maybe-…`: each may be a path.
 * `looks`: those that look like one. `remote`: like `copy`, but those with a host are elsewhere. `urls`: only `file:` ones.
 */
export type Operands =
  | "none"
  | "read"
  | "write"
  | "copy"
  | "pattern"
  | "filter"
  | "owner"
  | "archive"
  | "script"
  | "shell"
  | "roots"
  | "maybe-read"
  | "maybe-write"
  | "looks"
  | "remote"
  | "urls"
  | "settings";

/** When a start applies. */
interface Condition {
  /** Only where this flag is used. */
  readonly onlyWith?: string;
  /** Not where this flag is used. */
  readonly notWith?: string;
}

/**
 * How it starts other programs. `rest`: after `skip` operands the remaining words are a command. `joined`: they are text for
 * a shell. `shell`: `-c`, a file, or its input. `first`: the first operand is text for a shell; `values`: what follows the
 * `=` of each is; `each`: each is. `source`, `state`: it changes what later commands mean. `split`: the flag's value is
 * words. `until`: each of the flags is followed by a command and a `;`.
 */
export type Start =
  | (Condition & {
      readonly kind: "rest";
      readonly skip?: number;
      /** `NAME=value` may stand before the command. */
      readonly hasAssignments?: true;
      /** More words follow that nobody can know. */
      readonly hasUnknownWords?: true;
      /** On another machine, or in another root. */
      readonly isAway?: true;
    })
  | (Condition & { readonly kind: "joined"; readonly skip?: number; readonly isAway?: true })
  | { readonly kind: "shell" | "first" | "values" | "each" | "source" | "state" }
  | { readonly kind: "split"; readonly flag: string }
  | { readonly kind: "until"; readonly flags: readonly string[] };

/** Why a lasting yes is never offered. */
export type Ungrantable =
  | "interpreter"
  | "wrapper"
  | "package runner"
  | "task runner"
  | "shell"
  | "privilege";

/** What a program, or one of its subcommands, does with its words. */
export interface Usage {
  readonly flags?: Flags;
  readonly operands?: Operands;
  /** The flags after which every operand is a path, for `pattern`. */
  readonly patternFlags?: readonly string[];
  /** The flags that make it write what it else reads. */
  readonly inPlace?: readonly string[];
  /** It only reads, while every option is `safe` and `proves` agrees. */
  readonly readOnly?: true;
  /** It only reads where what it starts does. */
  readonly isTransparent?: true;
  /** What must hold beyond the flags for it to be proven read-only. */
  readonly proves?: (use: Use) => boolean;
  /** Words beyond the flags that make it write or start something. */
  readonly lists?: (use: Use) => readonly Word[];
  /** In the place of `operands`, where a kind cannot say it. */
  readonly paths?: (use: Use) => readonly FoundPath[];
  readonly starts?: readonly Start[];
  readonly ungrantable?: Ungrantable;
  /** By their names, apart by blanks. */
  readonly subcommands?: Readonly<Record<string, Usage>>;
  /** Options end at the first operand. */
  readonly stopsAtOperand?: true;
}

export interface Program extends Usage {
  /** Apart by blanks. */
  readonly names: string;
  /** Options are whole words with one dash, as in `find`; there are no clusters. */
  readonly hasWordFlags?: true;
  /** With this as its only word it says who it is. */
  readonly version?: readonly string[];
}

export interface Flag {
  /** The canonical spelling. */
  readonly name: string;
  readonly values: readonly ValueKind[];
  /** Its value is only taken where it is attached. */
  readonly isOptional: boolean;
  readonly effect: Effect;
}

export interface UsedFlag {
  readonly flag: Flag;
  /** The word it stands in. */
  readonly word: Word;
  readonly values: readonly Word[];
  /** A long option cut short. */
  readonly isAbbreviated: boolean;
  /** Where in the words. */
  readonly at: number;
}

/** A command's words, read with the table of its program. */
export interface Use {
  /** Of the innermost subcommand. */
  readonly usage: Usage;
  /** The words of the subcommands. */
  readonly subcommands: readonly string[];
  /** Those before the subcommands too. */
  readonly flags: readonly UsedFlag[];
  readonly operands: readonly Word[];
  /** How many operands stand before a `--`; all of them where there is none. */
  readonly plainOperands: number;
  /** Words that look like options and are in no table. */
  readonly unknown: readonly Word[];
  /** A word that is not literal stands where an option could. */
  readonly isUncertain: boolean;
  /** Where the operands begin; with `stopsAtOperand` everything from here on is untouched. */
  readonly restAt: number;
}

/** A path in a command's words, before it is known from which folders. */
export interface FoundPath {
  readonly word: Word;
  readonly access: "read" | "write";
  readonly isSuspected?: boolean;
}

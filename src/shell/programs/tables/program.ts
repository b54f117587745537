import type { Word } from "../../../core/command.ts";

/** `opaque`: harmless itself, but its effect does not follow from the arguments. */
export type Effect = "safe" | "opaque" | "writes" | "executes";

/**
 * `plain`: not a path. `folder`: the new working folder. `text`: run as a command. `ranged`: a path follows its last colon.
 * `names`: a file to read that lists the paths to work on.
 */
export type ValueKind = "plain" | "read" | "write" | "folder" | "text" | "ranged" | "names";

/**
 * The options of a program. Items are separated by white space, synonyms by commas; the first synonym is canonical. Those
 * after a `~` are opaque, after a `>` they write, after a `!` they execute.
 * Each `=` is a value: `=r` a path to read, `=w` a path to write, `=d` a folder to change to, `=x` text to run, `=c` a path to
 * read after a colon, `=n` a file to read that lists paths. A `?` at the end: the value must be attached. `[=]`: attached,
 * and only to the long spelling. `-NUM` is any number. Example: `"-n,--lines= --color=? > -o,--output=w"`
 */
export type Flags = string;

/**
 * The meaning of the operands.
 * `copy`: the last is written. `pattern`: the first is not a path, unless a flag of `patternFlags` is used. `filter`: the
 * first is read, the second written. `owner`: the first is not a path, the rest is written. `archive`: the first is written,
 * the rest read. `script`: the first is a file to run; `shell`: the same, unless there is a `-c`. `roots`: the words before
 * the first option. `maybe-…`: each may be a path. `looks`: those that look like paths. `remote`: like `copy`, but those
 * with a host are remote. `urls`: only `file:` URLs. `home`: read; the home folder if there are none.
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
  | "settings"
  | "home";

/** The condition of a start. */
interface Condition {
  /** Only if this flag is used. */
  readonly onlyWith?: string;
  /** Not if one of these flags is used; they are separated by spaces. */
  readonly notWith?: string;
  /**
   * `alone`: without a command it starts a shell, which reads its input; `fed`: the same, but without an input it does something
   * else; `always`: the words are the arguments of a shell.
   */
  readonly shell?: "alone" | "fed" | "always";
}

/**
 * How it starts other programs. `rest`: after `skip` operands the remaining words are a command. `joined`: they are text for
 * a shell. `shell`: `-c`, a file, or its input. `first`: the first operand is text for a shell; `values`: the text after the
 * `=` of each operand is; `each`: each operand is. `source`, `state`: it changes the meaning of later commands. `split`: the
 * flag's value is split into words. `until`: each of the flags is followed by a command and a `;`.
 */
export type Start =
  | (Condition & {
      readonly kind: "rest";
      readonly skip?: number;
      /** `NAME=value` may precede the command. */
      readonly hasAssignments?: true;
      /** Unknown arguments are appended. */
      readonly hasUnknownWords?: true;
      /** What precedes the command is not in the tables: it may begin at any word. */
      readonly isAnywhere?: true;
      /** On another machine or in another root. */
      readonly isRemote?: true;
    })
  | (Condition & { readonly kind: "joined"; readonly skip?: number; readonly isRemote?: true })
  | { readonly kind: "shell" | "first" | "values" | "each" | "source" | "state" }
  | { readonly kind: "split"; readonly flag: string }
  | { readonly kind: "until"; readonly flags: readonly string[] };

/** Why no lasting grant is offered. */
export type Ungrantable =
  | "interpreter"
  | "wrapper"
  | "package runner"
  | "task runner"
  | "shell"
  | "privilege";

/** How a program, or one of its subcommands, uses its arguments. */
export interface Usage {
  readonly flags?: Flags;
  readonly operands?: Operands;
  /** The flags after which every operand is a path, for `pattern`. */
  readonly patternFlags?: readonly string[];
  /** The flags that make it write its operands. */
  readonly inPlace?: readonly string[];
  /** It only reads, if every option is `safe` and `proves` returns true. A command that it starts is judged separately. */
  readonly readOnly?: true;
  /** Like `readOnly`, but only in a sandbox in which nothing can be written and no network is. */
  readonly readsInBox?: true;
  /** A further condition for being proven read-only. */
  readonly proves?: (use: Use) => boolean;
  /** Returns arguments other than flags that make it write or start something. */
  readonly lists?: (use: Use) => readonly Word[];
  /** Replaces `operands` if no kind fits. */
  readonly paths?: (use: Use) => readonly FoundPath[];
  /** Returns true if it reads the paths to work on from standard input, or from a file that no flag names. */
  readonly readsNames?: (use: Use) => boolean;
  readonly starts?: readonly Start[];
  readonly ungrantable?: Ungrantable;
  /** By name; several names are separated by spaces. */
  readonly subcommands?: Readonly<Record<string, Usage>>;
  /** Options end at the first operand. */
  readonly stopsAtOperand?: true;
}

export interface Program extends Usage {
  /** Separated by spaces. */
  readonly names: string;
  /** Options are words with one dash, as in `find`; there are no clusters. */
  readonly hasWordFlags?: true;
}

export interface Flag {
  /** The canonical spelling. */
  readonly name: string;
  readonly values: readonly ValueKind[];
  /** Its value must be attached. */
  readonly isOptional: boolean;
  readonly effect: Effect;
}

export interface UsedFlag {
  readonly flag: Flag;
  /** The word that contains it. */
  readonly word: Word;
  readonly values: readonly Word[];
  /** An abbreviated long option. */
  readonly isAbbreviated: boolean;
  /** The index of the word. */
  readonly at: number;
}

/** The arguments of a command, parsed by the table of its program. */
export interface Use {
  /** Of the innermost subcommand. */
  readonly usage: Usage;
  /** The words of the subcommands. */
  readonly subcommands: readonly string[];
  /** Including those before the subcommands. */
  readonly flags: readonly UsedFlag[];
  readonly operands: readonly Word[];
  /** The number of operands before a `--`; all if there is none. */
  readonly plainOperands: number;
  /** Words that look like options and are not in the table. */
  readonly unknown: readonly Word[];
  /** A word that is not literal is in the position of an option. */
  readonly isUncertain: boolean;
  /** The index of the first operand; with `stopsAtOperand` all words from here on are operands. */
  readonly restAt: number;
}

/** A path in the arguments of a command, not yet resolved. */
export interface FoundPath {
  readonly word: Word;
  readonly access: "read" | "write";
  readonly isSuspected?: boolean;
}

import type { Output } from "../print/output.ts";

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  readonly summary: string;
  /** What stands for the value in the usage: S, PATH, N … */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly short?: string;
  /** It may be given several times; all its values count. */
  readonly isRepeatable?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What a positional argument names; completion offers accordingly. */
type Positional =
  | "tool"
  | "parameter"
  | "command"
  | "shell"
  | "call"
  | "action"
  | "entry"
  | "item"
  | "server"
  | "task";

interface Example {
  /** The words after `toolwright`, as one would type them. */
  readonly line: string;
  readonly does: string;
}

/** The arguments of a command, read and checked against its flags. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Values by the flag's name; a switch that was given is true. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** Every value of the flags that may be repeated, in order. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/** All commands by name, for help and completion. */
export type Commands = Readonly<Record<string, Command>>;

/** The outside world as a command sees it. */
export interface World {
  /** How a person starts this program from where they are. */
  readonly program: string;
  readonly commands: Commands;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly output: Output;
  /** True where a person can be asked: they see standard error and type into standard input. */
  readonly isInteractive: boolean;
  /** The terminal's width; undefined where standard output is not one. */
  readonly columns: number | undefined;
}

/** Where a command shows what it has to show; the REPL has one of its own. */
export type Shown = Pick<World, "output" | "columns">;

/** One command: its help, completion and docs are made from this. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name. */
  readonly usage: string;
  /** In the order in which they come; the last one may be repeated. */
  readonly positionals: readonly Positional[];
  /** The words that an `action` may be. */
  readonly actions?: readonly string[];
  readonly flags: Flags;
  readonly examples: readonly Example[];
  /** Gives the exit code; what it throws is told on standard error. */
  run(given: Arguments, world: World): Promise<number>;
}

/** Flags of every command that runs calls, and of those that say what calls would do. */
export const CONFIG_FLAGS = {
  mode: {
    summary: "how much runs unasked",
    value: "MODE",
    choices: ["yolo", "auto", "ask", "plan"],
  },
  profile: { summary: "a named set of settings from the user's config", value: "NAME" },
} as const satisfies Flags;

/** The flag of every command that opens the store. */
export const STORE_FLAG = {
  store: { summary: "the folder where calls are kept, or :memory:", value: "PATH" },
} as const satisfies Flags;

/** The flags of every command that runs calls. */
export const RUN_FLAGS = {
  ...CONFIG_FLAGS,
  ...STORE_FLAG,
  verbose: { summary: "tell every event on standard error" },
  yes: { summary: "approve what would be asked about; what is denied stays denied", short: "y" },
  queue: { summary: "where nobody is at a terminal, wait for toolwright approve" },
  timeout: { summary: "end a call after so many seconds", value: "S" },
} as const satisfies Flags;

/** The shells that there is a completion script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** The flag that every command has. */
export const HELP_FLAG = {
  help: { summary: "show this help", short: "h" },
} as const satisfies Flags;

import type { Output } from "../print/output.ts";

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  readonly summary: string;
  /** The placeholder of the value in the usage: S, PATH, N … */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly short?: string;
  /** It can be given several times; all values count. */
  readonly isRepeatable?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What a positional argument names, for completion. */
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
  /** The arguments after `toolwright`, as they are typed. */
  readonly line: string;
  readonly does: string;
}

/** The arguments of a command, parsed and checked against its flags. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Values by flag name; a switch is true. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** Every value of each repeatable flag, in order. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/** All commands by name, for help and completion. */
export type Commands = Readonly<Record<string, Command>>;

/** The streams and the terminal of a command. */
export interface World {
  /** How to start this program from the current folder. */
  readonly program: string;
  readonly commands: Commands;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly output: Output;
  /** True if a person can answer prompts: standard error and standard input are a terminal. */
  readonly isInteractive: boolean;
  /** The width of the terminal; undefined if standard output is not one. */
  readonly columns: number | undefined;
}

/** Where a command prints; the REPL has its own. */
export type Shown = Pick<World, "output" | "columns">;

/** One command, from which help, completion and docs are made. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name. */
  readonly usage: string;
  /** In order; the last one may be repeated. */
  readonly positionals: readonly Positional[];
  /** The values of an `action`. */
  readonly actions?: readonly string[];
  readonly flags: Flags;
  readonly examples: readonly Example[];
  /** Returns the exit code; an error that it throws is printed on standard error. */
  run(given: Arguments, world: World): Promise<number>;
}

/** The flags of every command that runs or judges calls. */
export const CONFIG_FLAGS = {
  mode: {
    summary: "approval mode",
    value: "MODE",
    choices: ["yolo", "auto", "ask", "plan"],
  },
  profile: { summary: "a named set of settings from the user's config", value: "NAME" },
} as const satisfies Flags;

/** The flag of every command that opens the store. */
export const STORE_FLAG = {
  store: { summary: "the folder in which calls are stored, or :memory:", value: "PATH" },
} as const satisfies Flags;

/** The flags of every command that runs calls. */
export const RUN_FLAGS = {
  ...CONFIG_FLAGS,
  ...STORE_FLAG,
  verbose: { summary: "print every event on standard error" },
  yes: { summary: "approve every call that needs approval; denied calls stay denied", short: "y" },
  queue: { summary: "without a terminal, wait for toolwright approve" },
  timeout: { summary: "time limit of a call (seconds)", value: "S" },
} as const satisfies Flags;

/** The shells that have a completion script. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** The flag that every command has. */
export const HELP_FLAG = {
  help: { summary: "show this help", short: "h" },
} as const satisfies Flags;

import type { Environment } from "../../config/environment.ts";
import type { Output } from "../print/output.ts";
import type { createInterrupt, Signals } from "./interrupt.ts";

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  readonly summary: string;
  /** The placeholder for the value in the usage: SECONDS, PATH, N … */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly short?: string;
  /** True: at the end of the line it may stand without a value, which is empty then. */
  readonly isOptional?: true;
  /** Can be given several times; all values count. */
  readonly isRepeatable?: true;
  /** The actions of the command that it can be used with; default: all. */
  readonly for?: readonly string[];
}

export type Flags = Readonly<Record<string, Flag>>;

/** The kind of a positional argument. Completion has no candidates for an `entry`. */
type Positional = "tool" | "parameter" | "command" | "action" | "entry" | "server" | "setting" | "session";

/** The parsed arguments of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** Values by flag name; true for a switch. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** All values of repeatable flags, in order. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/** All commands by name, each with the function that loads it. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** The process, streams and terminal that a command runs in. */
export interface World {
  /** The command that starts this program from the current folder. */
  readonly program: string;
  readonly commands: Commands;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly output: Output;
  readonly signals: Signals;
  /** Starts to listen for signals, as `createInterrupt` does; `using` stops. */
  readonly interrupt: () => ReturnType<typeof createInterrupt>;
  /** Reads the current folder and the variables. Throws if the folder is gone. */
  readonly environment: () => Environment;
  /** True if standard input and standard error are terminals, so that the user can be prompted. */
  readonly isInteractive: boolean;
  /** The width of the terminal; undefined if standard output is not a terminal. */
  readonly columns: number | undefined;
}

/** The part of `World` that a command needs to print; the REPL has its own. */
export interface Shown extends Pick<World, "columns"> {
  readonly output: Pick<Output, "print" | "log">;
}

/** A command. Help, completion and docs are made from it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name; one line for each form. */
  readonly usage: string;
  /** Printed below the usage. */
  readonly notes?: string;
  /** In order; the last one can be repeated. Default: none. */
  readonly positionals?: readonly Positional[];
  /** The values of an `action`. */
  readonly actions?: readonly string[];
  readonly flags: Flags;
  /** What command lines do, by the arguments after `toolwright`, as typed. */
  readonly examples: Readonly<Record<string, string>>;
  /** Returns what to type instead of an unknown flag, if the command knows; `args` are all arguments as typed. */
  readonly hintFor?: (flag: string, args: readonly string[]) => string | undefined;
  /** Returns the exit code; default: 0. An error it throws is printed to standard error. */
  run(given: Arguments, world: World): Promise<number | void>;
}

/** Flags of every command that runs or judges calls. */
export const CONFIG_FLAGS = {
  mode: { summary: "approval mode", value: "MODE", choices: ["yolo", "edits", "auto", "ask", "plan"] },
  level: {
    summary: "what happens to a command that no rule allows",
    value: "LEVEL",
    choices: ["ask", "read-only", "workspace"],
  },
  profile: { summary: "profile from the user config to apply", value: "NAME" },
} as const satisfies Flags;

/** The flag of every command that opens the store. */
export const STORE_FLAG = {
  store: { summary: "folder of the call store, or :memory:", value: "PATH" },
} as const satisfies Flags;

/** The flags of every command that reads the store and runs no calls. */
export const STORED_FLAGS = { ...STORE_FLAG, profile: CONFIG_FLAGS.profile } as const satisfies Flags;

/** The flags of every command that runs calls. */
export const RUN_FLAGS = {
  ...CONFIG_FLAGS,
  ...STORE_FLAG,
  verbose: { summary: "print every event to standard error" },
  yes: { summary: "approve calls that need approval; denied calls stay denied", short: "y" },
  queue: { summary: 'without a terminal, wait for "toolwright approve" instead of denying' },
  timeout: { summary: "time limit for a call (seconds)", value: "SECONDS" },
  sandbox: {
    summary: "where programs run: none, auto, bubblewrap, srt, seatbelt, podman, docker or process",
    value: "KIND",
  },
} as const satisfies Flags;

/** The flag of commands that run calls one by one. */
export const PLACE_FLAG = {
  place: { summary: "run the call on a worker of the fleet", value: "PLACE", choices: ["fleet"] },
} as const satisfies Flags;

/** The flag that every command has. */
export const HELP_FLAG = { help: { summary: "show this help", short: "h" } } as const satisfies Flags;

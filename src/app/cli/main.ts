import { basename, relative } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { readEnvironment, type EnvironmentSource } from "../config/environment.ts";
import type { Command, Commands, World } from "../terminal/input/command.ts";
import { COMMANDS } from "./commands.ts";
import { exitCodeOf } from "../terminal/print/print-result.ts";
import { createOutput, type Output } from "../terminal/print/output.ts";
import { visible } from "../../util/text/visible.ts";
import { createInterrupt, type Signals } from "../terminal/input/interrupt.ts";
import { parseArguments } from "../terminal/input/parse-arguments.ts";

export { COMMANDS };

/** The width of a terminal that does not report one. */
const FALLBACK_COLUMNS = 80;

/** The parts of its process that the program uses. */
export interface OwnProcess extends EnvironmentSource, Signals {
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Runs the command line and returns its exit code. Never rejects; all output is written when it settles. */
export async function main(args: readonly string[], own: OwnProcess): Promise<number> {
  const { stdout, stderr } = own;
  const output = createOutput(stdout, stderr, own.env);
  const world: World = {
    commands: COMMANDS,
    program: programOf(own),
    // Node creates the stream when it is read, and loads its network module if it is a pipe.
    get stdin() {
      return own.stdin;
    },
    stdout,
    stderr,
    output,
    signals: own,
    interrupt: () => createInterrupt(own),
    environment: () => readEnvironment(own),
    isInteractive: stderr.isTTY && own.stdin.isTTY,
    columns: stdout.isTTY ? stdout.columns || FALLBACK_COLUMNS : undefined,
  };
  const code = await runCommand(args, world).catch((error: unknown) => printError(error, output));
  const fault = output.fault();
  if (fault === undefined) return code;
  output.log(`toolwright: cannot write to standard output: ${fault}`);
  return code || 1;
}

/** Returns the command that starts this program from the current folder. */
function programOf({ argv: [, script = ""], cwd }: OwnProcess): string {
  if (basename(script) === "toolwright") return "toolwright";
  return `node ${shortest(script, cwd)}`;
}

function shortest(script: string, cwd: () => string): string {
  try {
    const path = relative(cwd(), script);
    return path.startsWith("..") ? script : path;
  } catch {
    // The current folder no longer exists; the command that needs it reports that.
    return script;
  }
}

async function runCommand(args: readonly string[], world: World): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) return start(world);
  const command = await findCommand(name === "--help" || name === "-h" ? "help" : name);
  if (command === undefined) return runCommand(await toCommandLine(args), world);
  const parsed = parseArguments(command, rest);
  if (parsed.flags["help"] !== true) return (await command.run(parsed, world)) ?? 0;
  const { helpOf } = await import("./help.ts");
  await world.output.print(helpOf(command, world.columns));
  return 0;
}

/** Returns a built-in command, or the prompt of an MCP server or command of an extension that a name with a slash stands for. */
async function findCommand(name: string): Promise<Command | undefined> {
  if (/^\/[\w.-]+:/.test(name)) return (await import("./slash.ts")).promptCommandOf(name);
  const commands: Commands = COMMANDS;
  if (Object.hasOwn(commands, name)) return commands[name]?.();
  if (!/^\/[\w-]+$/.test(name)) return undefined;
  return (await import("./slash.ts")).extensionCommand(name);
}

/** Without arguments: starts the REPL on a terminal, prints help otherwise. */
async function start(world: World): Promise<number> {
  if (world.isInteractive && world.columns !== undefined) return runCommand(["chat"], world);
  const { refuseUnreadText } = await import("./without-command.ts");
  await refuseUnreadText(world.stdin);
  const { overview } = await import("./help.ts");
  await world.output.print(overview(world.columns));
  return 0;
}

/** Returns the command line that arguments without a command stand for. Throws if the first one looks like a misspelt command. */
async function toCommandLine(args: readonly string[]): Promise<readonly string[]> {
  const [name = ""] = args;
  if (/^-|\s/.test(name))
    return (await import("./without-command.ts")).withCommand(args, Object.keys(COMMANDS));
  throw await (await import("./without-command.ts")).unknownCommand(name, args, Object.keys(COMMANDS));
}

/** Prints an error as one line that a person can act on, and returns the exit code. */
function printError(error: unknown, output: Output): number {
  if (isRefusal(error)) {
    output.logWords(`toolwright: ${visible(error.message)}`);
    return 1;
  }
  if (!(error instanceof ToolError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    output.log(`toolwright: internal error, please report it: ${stack}`);
    return 1;
  }
  output.logWords(`toolwright: ${visible(error.message)}`);
  if (error.hint !== undefined) output.logWords(`  ${visible(error.hint)}`, undefined, 2);
  return exitCodeOf(error);
}

/** Whether the system refused a file operation; the message then names the file. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "path" in error;
}

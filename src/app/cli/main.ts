import { basename, relative } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import type { Command, World } from "../terminal/input/command.ts";
import { COMMANDS } from "./commands.ts";
import { exitCodeOf } from "../terminal/print/exit-code.ts";
import type { Output } from "../terminal/print/output.ts";
import { createOutput } from "../terminal/print/output.ts";
import { visible } from "../../util/text/visible.ts";

/** The width of a terminal that does not say how wide it is. */
const FALLBACK_COLUMNS = 80;

/** What the program takes of its own process. */
export interface OwnProcess {
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Runs the command line and gives its exit code. Never rejects; all output is handed over when it settles. */
export async function main(args: readonly string[], own: OwnProcess): Promise<number> {
  const { argv, stdin, stdout, stderr } = own;
  const output = createOutput(stdout, stderr);
  const world: World = {
    commands: COMMANDS,
    program: programOf(argv),
    stdin,
    stdout,
    stderr,
    output,
    isInteractive: stdin.isTTY && stderr.isTTY,
    columns: stdout.isTTY ? stdout.columns || FALLBACK_COLUMNS : undefined,
  };
  const code = await runCommand(args, world).catch((error: unknown) => tellError(error, output));
  const fault = output.fault();
  if (fault === undefined) return code;
  output.tell(`toolwright: standard output cannot be written: ${fault}`);
  return code || 1;
}

/** How a person starts this program from where they are. */
function programOf([, script = ""]: readonly string[]): string {
  if (basename(script) === "toolwright") return "toolwright";
  return `node ${shortest(script)}`;
}

function shortest(script: string): string {
  try {
    const path = relative("", script);
    return path.startsWith("..") ? script : path;
  } catch {
    // The current folder is gone; whoever needs it says so.
    return script;
  }
}

async function runCommand(args: readonly string[], world: World): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) return start(world);
  const command = await loadCommand(name === "--help" || name === "-h" ? "help" : name);
  if (command === undefined) throw unknownCommand(name);
  const { parseArguments } = await import("../terminal/input/parse-arguments.ts");
  const given = parseArguments(command, rest);
  if (given.flags["help"] !== true) return command.run(given, world);
  const { helpOf } = await import("../terminal/input/help.ts");
  await world.output.print(helpOf(command));
  return 0;
}

/** A command of the program, or what an MCP server or an extension may have under a name with a slash. */
async function loadCommand(name: string): Promise<Command | undefined> {
  const own = await COMMANDS.load(name);
  if (/^\/[\w.-]+:/.test(name)) return (await import("./prompt-command.ts")).promptCommandOf(name);
  if (own !== undefined || !/^\/[\w-]+$/.test(name)) return own;
  const { extensionCommand } = await import("./extension-command.ts");
  return extensionCommand(name);
}

/** Without arguments: a conversation for a person, help for a program. */
async function start(world: World): Promise<number> {
  if (world.isInteractive && world.columns !== undefined) return runCommand(["chat"], world);
  const { overview } = await import("../terminal/input/help.ts");
  await world.output.print(await overview(COMMANDS));
  return 0;
}

function unknownCommand(name: string): ToolError {
  if (name.startsWith("-")) {
    return new ToolError("INVALID_INPUT", `${name} is not a command`, {
      hint: "flags go behind the command; see toolwright --help",
    });
  }
  return new ToolError("INVALID_INPUT", `there is no command "${name}"`, {
    hint: nearHint(name, COMMANDS.names, "see toolwright --help"),
  });
}

/** One line that a person can act on, and the code that goes with it. */
function tellError(error: unknown, output: Output): number {
  if (isRefusal(error)) {
    output.tell(`toolwright: ${visible(error.message)}`);
    return 1;
  }
  if (!(error instanceof ToolError)) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    output.tell(`toolwright: an error of its own, please report it: ${told}`);
    return 1;
  }
  output.tell(`toolwright: ${visible(error.message)}`);
  if (error.hint !== undefined) output.tell(`  ${visible(error.hint)}`);
  return exitCodeOf(error);
}

/** What the system would not do with a file, whose name is in the message: a fault of the place, and none of ours. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "path" in error;
}

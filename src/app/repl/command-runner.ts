import { ToolError } from "../../core/errors.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { groupCommand } from "../terminal/commands/group.ts";
import { refreshCommand } from "../terminal/commands/refresh.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import type { ReplControl } from "./commands/repl-command.ts";
import { replCommands } from "./commands/repl-commands.ts";
import type { ReplSession } from "./state/session.ts";
import { answerText } from "./state/summary.ts";
import { parseShell, runShell, shellNote } from "./typed/typed.ts";

/** The most output of a command that is stored and shown. */
const MAX_CHARACTERS = 200_000;

/** Runs slash commands and typed calls, one after the other. */
export type CommandRunner = ReturnType<typeof createCommandRunner>;

/** What commands need of the REPL. */
export interface RunnerControl extends Omit<ReplControl, "session" | "commands"> {
  /** As in `TypedOptions`. */
  readonly isTyped: boolean;
  /** Called with the id of a typed call before it runs. */
  readonly onTypedCall: (callId: string) => void;
}

/**
 * Runs slash commands, and commands of the shell after `!`, in the current session. `current` is called when a command has ended: the
 * command may have changed the session.
 */
export function createCommandRunner(control: RunnerControl, current: () => ReplSession | undefined) {
  let running: AbortController | undefined;
  /** Returns all commands, sorted by name. */
  const commandsOf = (session: ReplSession): readonly SlashCommand[] => {
    const own = replCommands({ ...control, session, commands: () => commandsOf(session) });
    const tools = { ...toolCommand, name: "tools" };
    return [...own, toolCommand, tools, refreshCommand, groupCommand, ...session.commands].toSorted(
      (one, other) => one.name.localeCompare(other.name),
    );
  };
  /** Runs a slash command. Never rejects: an error is part of the output. */
  const runSlash = async (session: ReplSession, text: string, signal: AbortSignal): Promise<string> => {
    const parsed = parseSlash(text);
    const commands = commandsOf(session);
    let output = "";
    const print = (piece: string): void => {
      if (output.length < MAX_CHARACTERS) output += piece;
    };
    try {
      const namedCommand = commands.find(({ name }) => name === parsed?.name);
      const command = namedCommand ?? (parsed && (await session.findCommand(parsed.name, signal)));
      if (parsed === undefined || command === undefined) throw unknown(text, commands);
      const { engine, agent } = session;
      const world = { engine, session: agent.session, signal, print, say: control.send };
      if (command.isOutside === true) await runOutside(control, () => command.run(parsed.args, world));
      else await untilAborted(command.run(parsed.args, world), signal);
    } catch (error) {
      const isCancelled = signal.aborted && error === signal.reason;
      print(describe(isCancelled ? new ToolError("CANCELLED", "the command was cancelled") : error));
    }
    return output.length < MAX_CHARACTERS ? output : `${output.slice(0, MAX_CHARACTERS)}\n[truncated]\n`;
  };
  const runEither = async (session: ReplSession, text: string, signal: AbortSignal): Promise<string> => {
    const command = parseShell(text);
    if (command === undefined) return runSlash(session, text, signal);
    const { isTyped, onTypedCall: onCall } = control;
    const result = await runShell(command, { session, signal, isTyped, onCall });
    control.note(shellNote(command, result));
    return `${answerText(result)}\n`;
  };
  return {
    commandsOf,
    /** Runs a command and returns its output, which is stored in the session that is current when it ends. Never rejects. */
    async run(session: ReplSession, text: string): Promise<string> {
      const own = new AbortController();
      running = own;
      const output = await runEither(session, text, own.signal);
      if (running === own) running = undefined;
      // The output was shown, even if it cannot be stored.
      await (current() ?? session).recordCommand(text, output).catch(() => undefined);
      return output;
    },
    /** Stops waiting for the running command; returns false if none runs. */
    cancel(): boolean {
      running?.abort();
      return running !== undefined;
    },
  };
}

/** Parses the name and the arguments of a command; returns undefined for other text. */
export function parseSlash(text: string): { readonly name: string; readonly args: string } | undefined {
  const commandMatch = /^\/([\w][\w:.-]*)(?:\s+([^]*))?$/.exec(text.trim());
  return commandMatch === null
    ? undefined
    : { name: commandMatch[1] ?? "", args: (commandMatch[2] ?? "").trim() };
}

/** Commands of other agents, and what does the same here. */
const FOREIGN: Readonly<Record<string, string>> = {
  doctor: "!toolwright doctor checks the setup",
  config: "!toolwright config lists the settings, !toolwright config set KEY VALUE sets one",
  login: "toolwright login PROVIDER stores a key; one in the environment is used, too",
  editor: "Ctrl-G opens your editor with the message",
  usage: "/cost shows what the conversation has cost",
  tasks: "/ps lists the background processes",
  bashes: "/ps lists the background processes",
  terminal: "!COMMAND runs a command in the shell",
};

/** Runs a command that asks on the terminal itself. Throws `UNAVAILABLE` without a screen. */
function runOutside({ outside }: RunnerControl, work: () => Promise<void>): Promise<void> {
  if (outside === undefined) throw new ToolError("UNAVAILABLE", "this command needs a terminal of its own");
  return outside(work);
}

function unknown(text: string, commands: readonly SlashCommand[]): ToolError {
  const [name = ""] = text.slice(1).split(/\s/);
  const foreign = Object.hasOwn(FOREIGN, name) ? FOREIGN[name] : undefined;
  if (foreign !== undefined)
    return new ToolError("INVALID_INPUT", `there is no command /${name}`, { hint: foreign });
  const names = commands.map((one) => `/${one.name}`);
  return unknownName(`unknown command /${name}`, `/${name}`, names, "/help lists them");
}

function describe(error: unknown): string {
  if (!(error instanceof ToolError)) return `unexpected error: ${errorMessage(error)}\n`;
  return `${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`;
}

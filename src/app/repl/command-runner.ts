import { groupCommand } from "../terminal/commands/group.ts";
import { refreshCommand } from "../terminal/commands/refresh.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import { replCommands, type ReplControl } from "./repl-commands.ts";
import { runSlash } from "./run-slash.ts";
import type { ReplSession } from "./state/session.ts";
import { answerText } from "./state/summary.ts";
import { parseShell, runShell, shellNote } from "./typed.ts";

/** Runs slash commands, and commands of the shell after `!`, in the current session. */
export interface CommandRunner {
  /** Returns all commands, sorted by name. */
  readonly commandsOf: (session: ReplSession) => readonly SlashCommand[];
  /** Runs a command and returns its output, which is stored in the session that is current when it ends. Never rejects. */
  readonly run: (session: ReplSession, text: string) => Promise<string>;
  /** Stops waiting for the running command; returns false if none runs. */
  readonly cancel: () => boolean;
}

/** What a command of the shell needs of the REPL. */
interface ShellControl {
  /** As in `TypedOptions`. */
  readonly isTyped: boolean;
  /** Called with the id of a typed call before it runs. */
  readonly onTypedCall: (callId: string) => void;
}

/** `current` is called when a command has ended: the command may have changed the session. */
export function createCommandRunner(
  control: Pick<ReplControl, "switchTo" | "clear" | "leave" | "send" | "note" | "showReasoning"> &
    ShellControl,
  current: () => ReplSession | undefined,
): CommandRunner {
  let running: AbortController | undefined;
  const commandsOf = (session: ReplSession): readonly SlashCommand[] => {
    const own = replCommands({ ...control, session, commands: () => commandsOf(session) });
    const tools = { ...toolCommand, name: "tools" };
    return [...own, toolCommand, tools, refreshCommand, groupCommand, ...session.commands].toSorted(
      (one, other) => one.name.localeCompare(other.name),
    );
  };
  const runEither = async (session: ReplSession, text: string, signal: AbortSignal): Promise<string> => {
    const command = parseShell(text);
    if (command === undefined)
      return runSlash(text, { commands: commandsOf(session), session, signal, send: control.send });
    const result = await runShell(command, {
      session,
      signal,
      isTyped: control.isTyped,
      onCall: control.onTypedCall,
    });
    control.note(shellNote(command, result));
    return `${answerText(result)}\n`;
  };
  return {
    commandsOf,
    async run(session, text) {
      const own = new AbortController();
      running = own;
      const output = await runEither(session, text, own.signal);
      if (running === own) running = undefined;
      // The output was shown, even if it cannot be stored.
      await (current() ?? session).recordCommand(text, output).catch(() => undefined);
      return output;
    },
    cancel() {
      running?.abort();
      return running !== undefined;
    },
  };
}

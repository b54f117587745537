import { groupCommand } from "../terminal/commands/group.ts";
import { refreshCommand } from "../terminal/commands/refresh.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import { replCommands } from "./repl-commands.ts";
import type { ReplControl } from "./repl-commands.ts";
import { runSlash } from "./run-slash.ts";
import type { ReplSession } from "./state/session.ts";

/** Runs the slash commands of whatever session is talked to. */
export interface Commander {
  /** All there are, by name. */
  readonly commandsOf: (session: ReplSession) => readonly SlashCommand[];
  /** Runs one and gives what it showed; the session that was current when it ended keeps it. Never rejects. */
  readonly run: (session: ReplSession, text: string) => Promise<string>;
  /** Waits no longer for the one that runs; false where none does. */
  readonly cancel: () => boolean;
}

/** `current` is asked when a command has ended: it may have changed the session. */
export function createCommander(
  control: Pick<ReplControl, "switchTo" | "clear" | "leave" | "send">,
  current: () => ReplSession | undefined,
): Commander {
  let running: AbortController | undefined;
  const commandsOf = (session: ReplSession): readonly SlashCommand[] => {
    const own = replCommands({ ...control, session, commands: () => commandsOf(session) });
    return [...own, toolCommand, refreshCommand, groupCommand, ...session.commands].toSorted((one, other) =>
      one.name.localeCompare(other.name),
    );
  };
  return {
    commandsOf,
    async run(session, text) {
      const own = new AbortController();
      running = own;
      const output = await runSlash(text, {
        commands: commandsOf(session),
        session,
        signal: own.signal,
        say: control.send,
      });
      if (running === own) running = undefined;
      // What cannot be kept was shown all the same.
      await (current() ?? session).recordCommand(text, output).catch(() => undefined);
      return output;
    },
    cancel() {
      running?.abort();
      return running !== undefined;
    },
  };
}

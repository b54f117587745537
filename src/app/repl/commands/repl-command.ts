import type { SlashCommand, SlashWorld } from "../../terminal/commands/slash-command.ts";
import type { ReplSession } from "../state/session.ts";

/** What the REPL's own commands can do. */
export interface ReplControl {
  readonly session: ReplSession;
  /** Returns all commands. */
  readonly commands: () => readonly SlashCommand[];
  readonly switchTo: (session: ReplSession) => void;
  /** Adds a text for the model to the next message. */
  readonly note: (text: string) => void;
  /** Shows or hides the model's reasoning; returns whether it is shown now. */
  readonly showReasoning: (isShown: boolean | undefined) => boolean;
  /** Clears the screen. */
  readonly clear: () => void;
  readonly leave: () => void;
  /** Sends a message, as if it was typed. */
  readonly send: (text: string) => void;
}

/** A command that needs the REPL. */
export interface ReplCommand extends Pick<SlashCommand, "name" | "summary" | "matchesAnywhere"> {
  /** Default: no arguments. */
  readonly usage?: string;
  readonly complete?: (control: ReplControl) => readonly string[] | Promise<readonly string[]>;
  run(world: ReplControl & Pick<SlashWorld, "print" | "signal">, args: string): void | Promise<void>;
}

/** Returns a command of the REPL as a slash command. */
export function toSlashCommand(command: ReplCommand, control: ReplControl): SlashCommand {
  const { complete, usage = "", ...rest } = command;
  return {
    ...rest,
    usage,
    ...(complete !== undefined && { complete: () => complete(control) }),
    run: async (args, world) => command.run({ ...world, ...control }, args),
  };
}

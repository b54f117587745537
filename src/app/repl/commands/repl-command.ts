import type { Theme } from "../../config/settings/theme-setting.ts";
import type { Choice, SlashCommand, SlashWorld } from "../../terminal/commands/slash-command.ts";
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
  /** Types a text into the prompt and opens its menu; undefined without a screen. */
  readonly offer?: (text: string) => void;
  /** Puts a text into the clipboard of the terminal; undefined without a screen. */
  readonly copy?: (text: string) => void;
  /** Uses a theme for all that is drawn from now on; undefined without a screen. */
  readonly useTheme?: (theme: Theme) => void;
  /** Switches the keys of vi on or off, or from one to the other; returns whether they are on. Undefined without a screen. */
  readonly useVi?: (isOn: boolean | undefined) => boolean;
  /** Runs a program that asks on the terminal itself, while the screen is not drawn; undefined without a screen. */
  readonly outside?: (work: () => Promise<void>) => Promise<void>;
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
  readonly complete?: (
    control: ReplControl,
  ) => readonly (string | Choice)[] | Promise<readonly (string | Choice)[]>;
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

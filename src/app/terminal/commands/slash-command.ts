import type { Engine } from "../../../engine/types/engine.ts";

/** What a slash command works with. */
export interface SlashWorld {
  readonly engine: Engine;
  /** The session whose tools count; default: the engine's. */
  readonly session?: string;
  /** Aborted when the person cancels. */
  readonly signal?: AbortSignal;
  /** Prints a text that ends in a line break. */
  print(text: string): void | Promise<void>;
  /** Sends a message to the agent in the person's name; undefined if there is no agent. */
  say?(text: string): void;
}

/** A command for a person, the same in the REPL and on the command line. No model ever sees it or its output. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name. */
  readonly usage: string;
  /** Returns candidates for the last argument. */
  complete?(
    args: string,
    world: Pick<SlashWorld, "engine" | "session">,
  ): readonly string[] | Promise<readonly string[]>;
  /** Prints its output; throws a `ToolError` on failure. */
  run(args: string, world: SlashWorld): Promise<void>;
}

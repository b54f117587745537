import type { Engine } from "../../engine/engine.ts";

/** What a slash command has before it. */
export interface SlashWorld {
  readonly engine: Engine;
  /** Whose tools are meant; left out: the engine's. */
  readonly session?: string;
  /** Shows a text that ends in a line break. */
  print(text: string): void | Promise<void>;
}

/** A command for a person, the same in the REPL and on the command line. No model ever sees it or its output. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name. */
  readonly usage: string;
  /** Shows what it has to show; what goes wrong is thrown as a `ToolError`. */
  run(args: string, world: SlashWorld): Promise<void>;
}

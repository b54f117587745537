import type { Engine } from "../../../engine/types/engine.ts";

/** What a slash command has before it. */
export interface SlashWorld {
  readonly engine: Engine;
  /** Whose tools are meant; left out: the engine's. */
  readonly session?: string;
  /** Aborted when the person does not want to wait for it any more. */
  readonly signal?: AbortSignal;
  /** Shows a text that ends in a line break. */
  print(text: string): void | Promise<void>;
  /** Gives the agent a message in the person's name; left out where there is no agent to talk to. */
  say?(text: string): void;
}

/** A command for a person, the same in the REPL and on the command line. No model ever sees it or its output. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name. */
  readonly usage: string;
  /** What the last word behind the name may be; left out: nobody knows. */
  complete?(
    args: string,
    world: Pick<SlashWorld, "engine" | "session">,
  ): readonly string[] | Promise<readonly string[]>;
  /** Shows what it has to show; what goes wrong is thrown as a `ToolError`. */
  run(args: string, world: SlashWorld): Promise<void>;
}

import type { Hook } from "./hook.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ToolResult } from "./result.ts";
import type { ToolSpec } from "./spec.ts";
import type { Tool } from "./tool.ts";

/** What a command of an extension has before it. */
export interface CommandWorld {
  /** Shows a text that ends in a line break. */
  print(text: string): void | Promise<void>;
  /** The tools that are active now. */
  tools(): readonly ToolSpec[];
  /** Runs a tool through the whole line, under the user's policy. Never rejects. */
  run(name: string, input: JsonObject): Promise<ToolResult>;
}

/** A command for a person, typed as `/name`. No model ever sees it or its output. */
export interface ExtensionCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name. */
  readonly usage?: string;
  run(args: string, world: CommandWorld): void | Promise<void>;
}

/** Names of the program's own slash commands, including those of the REPL; an extension's command cannot have one. */
export const RESERVED_COMMANDS: readonly string[] = ([] = [
  "agents",
  "approve",
  "clear",
  "compact",
  "exit",
  "export",
  "group",
  "help",
  "mode",
  "model",
  "new",
  "quit",
  "refresh",
  "restore",
  "resume",
  "sessions",
  "skill",
  "todos",
  "tool",
  "trace",
]);

/** Makes a model of a provider from what the user has set for it. */
export type ProviderFactory = (settings: JsonObject) => unknown;

/** What an extension can do, while its `setup` runs; `log` works as long as the extension does. */
export interface ExtensionApi {
  /** The extension's own name. */
  readonly name: string;
  /** Offers a tool; its risk is what it says, as the extension is trusted. */
  tool(tool: Tool): void;
  hook(hook: Hook): void;
  command(command: ExtensionCommand): void;
  provider(name: string, factory: ProviderFactory): void;
  log(message: string, data?: Json): void;
  /** Called once, when this code is done with: no call of it runs any more, and none will. */
  onClose(close: () => void | Promise<void>): void;
}

/** A module that adds to the engine and to the program around it. */
export interface Extension {
  /** Letters, digits, dashes and underscores; also in the source of its tools, `extension:NAME`. */
  readonly name: string;
  /** Registers everything; it has five seconds, together with the import of its module. */
  setup(api: ExtensionApi): void | Promise<void>;
}

/** Gives an extension the types of the API; it does nothing else. */
export function defineExtension(extension: Extension): Extension {
  return extension;
}

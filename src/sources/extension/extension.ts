import type { Hook } from "../../core/hook.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolSpec } from "../../core/spec.ts";
import type { AnyTool } from "../../core/tool.ts";

/** What the program offers a command of an extension. */
export interface CommandWorld {
  /** Prints a text that ends in a line break. */
  print(text: string): void | Promise<void>;
  /** The tools that are active now. */
  tools(): readonly ToolSpec[];
  /** Runs a tool through the whole pipeline, under the user's policy. Never rejects. */
  run(name: string, input: JsonObject): Promise<ToolResult>;
}

/** A slash command, typed as `/name`. The model never sees it or its output. */
export interface ExtensionCommand {
  /** Without the slash. */
  readonly name: string;
  /** One line for `/help`. */
  readonly summary: string;
  /** The arguments, for the help text. */
  readonly usage?: string;
  /** Runs the command with the text after its name. */
  run(args: string, world: CommandWorld): void | Promise<void>;
}

/** Names of the program's own slash commands, including those of the REPL; an extension's command cannot have one. */
export const RESERVED_COMMANDS: readonly string[] = (
  "agents approve clear compact context cost diff exit export group help init mcp mode model new " +
  "permissions quit reasoning refresh restore resume sessions skill status todos tool tools tour trace undo"
).split(" ");

/** Creates a model of a provider from the user's settings for it. */
export type ProviderFactory = (settings: JsonObject) => unknown;

/** Registers the parts of an extension while its `setup` runs; `log` works as long as the extension does. */
export interface ExtensionApi {
  /** The extension's own name. */
  readonly name: string;
  /** Adds a tool; its declared risk is used, since the extension is trusted. */
  tool(tool: AnyTool): void;
  /** Adds a hook; it is removed when the extension is unloaded. */
  hook(hook: Hook): void;
  /** Adds a slash command; the first of several with a name has it. */
  command(command: ExtensionCommand): void;
  /** Adds a provider of models; the first of several with a name has it. */
  provider(name: string, factory: ProviderFactory): void;
  /** Passes a message to the log of the host program, under the name of the extension. */
  log(message: string, data?: Json): void;
  /** Called once, when the extension is unloaded: none of its calls is running, and none will. */
  onClose(close: () => void | Promise<void>): void;
}

/** A module that adds tools, hooks, commands and model providers. */
export interface Extension {
  /** Letters, digits, dashes and underscores; the source of its tools is `extension:NAME`. */
  readonly name: string;
  /** Registers all parts; the time limit is five seconds, including the import of the module. */
  setup(api: ExtensionApi): void | Promise<void>;
}

/** Returns the extension unchanged, with the types of the API. */
export function defineExtension(extension: Extension): Extension {
  return extension;
}

import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import type { Loaded, ToolSource } from "../../core/source.ts";
import type { Tool } from "../../core/tool.ts";
import { createRoster } from "../../system/process/roster.ts";
import { watchFolders } from "../watch-folders.ts";
import type { ToolDirectory } from "./discover.ts";
import type { ProgramContext } from "./list-programs.ts";
import type { ExternalToolSettings } from "./load-tools.ts";
import type { JsonObject } from "../../core/json.ts";

/** The folders of programs that are tools, and how these run. */
export interface ExternalOptions extends Omit<ProgramContext, "roster"> {
  /** Default: `external`. */
  readonly name?: string;
  /** If two tools have the same name, the first folder wins. */
  readonly directories: readonly ToolDirectory[];
  /** By tool name. Default: high risk, unsafe effects, and the time limit of the schema. */
  readonly tools?: Readonly<Record<string, ExternalToolSettings>>;
  /** Where running processes are recorded, so that `endOrphans` can end them after a crash; default: not recorded. */
  readonly stateFolder?: string;
}

const KINDS: OptionKinds<ExternalOptions> = {
  name: "a text that is not empty",
  directories: "a list",
  cwd: "a text that is not empty",
  environment: "an object",
  tools: "an object",
  stateFolder: "a text that is not empty",
};

/**
 * Creates a source whose tools are the programs in folders: each prints its schema with `--schema` and is called with JSON on its
 * standard input. A program cannot lower its own risk, which is high unless the options set it.
 */
export function createExternalSource(options: ExternalOptions): ToolSource {
  checkOptions("createExternalSource", options, KINDS);
  const { name = "external", directories, cwd, environment, tools: settings = {} } = options;
  const programs: ProgramContext = { cwd, environment, roster: createRoster(options.stateFolder) };
  const folders = directories.map(({ path }) => path);
  let known: ReadonlyMap<string, Tool> = new Map();
  return {
    name,
    async load(signal): Promise<Loaded> {
      const { loadPrograms } = await import("./load-tools.ts");
      const loaded = await loadPrograms({ name, directories, programs, settings, known }, signal);
      known = loaded.known;
      return loaded;
    },
    watch(changed) {
      const state = async () => (await import("./load-tools.ts")).stateOf(folders);
      return watchFolders({ folders: () => folders, state }, changed);
    },
  };
}

export interface CommandsOptions extends Omit<ExternalOptions, "directories"> {
  /** Declarations by tool name. */
  readonly commands: Readonly<Record<string, JsonObject>>;
}

/** Creates a source whose tools are declared commands: each runs a program with its parameters as arguments. */
export function createCommandSource(options: CommandsOptions): ToolSource {
  const { name = "commands", commands, cwd, environment, tools: settings = {} } = options;
  const context: ProgramContext = { cwd, environment, roster: createRoster(options.stateFolder) };
  return {
    name,
    load: async () => (await import("./load-tools.ts")).loadCommands(commands, { name, context, settings }),
  };
}

import type { Loaded, SourceProblem, ToolSource } from "../../core/source.ts";
import type { Effects, Limits, Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { createRoster } from "../../system/process/roster.ts";
import { watchFolders } from "../watch-folders.ts";
import { discover, type Discovered, type ToolDirectory } from "./discover.ts";
import { listPrograms, type ProgramContext } from "./list-programs.ts";
import { readDeclaredCommand, runDeclared } from "./declared-command.ts";
import { KILL_MS, assertUnchanged, runProgram } from "./run-program.ts";
import type { Declaration } from "./schema.ts";
import type { JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";

/** User settings of one tool; its schema cannot set them, except the time limit. */
export interface ExternalToolSettings {
  readonly risk?: Risk;
  readonly effects?: Effects;
  readonly timeoutMs?: number;
}

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

/** Time for an aborted call to end: enough for KILL to take effect and the output to be read. */
const GRACE_MS = KILL_MS + 1500;

/**
 * Creates a source whose tools are the programs in folders: each prints its schema with `--schema` and is called with JSON on its
 * standard input. A program cannot lower its own risk, which is high unless the options set it.
 */
export function createExternalSource(options: ExternalOptions): ToolSource {
  const { name = "external", directories, cwd, environment, tools: settings = {} } = options;
  const programs: ProgramContext = { cwd, environment, roster: createRoster(options.stateFolder) };
  let known = new Map<string, Tool>();
  return {
    name,
    async load(signal): Promise<Loaded> {
      const discovered = await discover(directories, programs, signal);
      const found = discovered.filter((one) => "program" in one);
      const tools = found.map((one): [string, Tool] => {
        const own = Object.hasOwn(settings, one.declaration.name)
          ? settings[one.declaration.name]
          : undefined;
        const key = JSON.stringify(one);
        return [key, known.get(key) ?? toTool(one, programs, own)];
      });
      known = new Map(tools);
      return { tools: tools.map(([, tool]) => tool), problems: problemsOf(name, discovered) };
    },
    watch(changed) {
      const folders = directories.map(({ path }) => path);
      return watchFolders({ folders: () => folders, state: () => stateOf(folders) }, changed);
    },
  };
}

/** Returns everything that discovery would read, as a text to compare. */
async function stateOf(folders: readonly string[]): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => listPrograms(folder).catch(String)));
  return JSON.stringify(lists);
}

type Found = Extract<Discovered, { readonly program: unknown }>;

function toTool(
  { program, declaration, command }: Found,
  context: ProgramContext,
  own: ExternalToolSettings = {},
): Tool {
  const run = { ...context, name: declaration.name, program };
  return {
    ...specOf(declaration, own),
    source: `external:${program.path}`,
    run(input, given) {
      if (command === undefined) return runProgram(run, input, given);
      assertUnchanged(program);
      return runDeclared({ ...run, command }, input, given);
    },
  };
}

function specOf({ timeoutMs: declaredMs, ...declared }: Declaration, own: ExternalToolSettings) {
  const timeoutMs = own.timeoutMs ?? declaredMs;
  const limits: Limits = { graceMs: GRACE_MS, ...defined({ timeoutMs }) };
  return {
    ...declared,
    risk: own.risk ?? "high",
    effects: own.effects ?? "unsafe",
    place: "host",
    limits,
  } as const;
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
    load(): Promise<Loaded> {
      const read = Object.entries(commands).map(([own, document]) => ({
        own,
        declared: readDeclaredCommand({ ...document, name: own }),
      }));
      const tools = read.flatMap(({ own, declared }): readonly Tool[] => {
        if ("problem" in declared) return [];
        const { declaration, command } = declared;
        const run = { ...context, name: own, command };
        const set = Object.hasOwn(settings, own) ? settings[own] : undefined;
        return [
          {
            ...specOf(declaration, set ?? {}),
            source: `external:${name}`,
            run: (input, given) => runDeclared(run, input, given),
          },
        ];
      });
      const problems = read.flatMap(({ own, declared }) =>
        "problem" in declared ? [{ source: name, subject: own, ...declared.problem }] : [],
      );
      return Promise.resolve({ tools, problems });
    },
  };
}

function problemsOf(source: string, discovered: readonly Discovered[]): readonly SourceProblem[] {
  return discovered.flatMap((one) =>
    "problem" in one ? [{ source, subject: one.path, ...one.problem }] : [],
  );
}

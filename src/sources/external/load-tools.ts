import type { JsonObject } from "../../core/json.ts";
import type { Loaded, SourceProblem } from "../../core/source.ts";
import type { Effects, Limits, Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { readDeclaredCommand, runDeclared } from "./declared-command.ts";
import { discover, type Discovered, type ToolDirectory } from "./discover.ts";
import { listPrograms, type ProgramContext } from "./list-programs.ts";
import { withContent } from "./printed-content.ts";
import { KILL_MS, assertUnchanged, runProgram } from "./run-program.ts";
import type { Declaration } from "./schema.ts";

/** User settings of one tool; its schema cannot set them, except the time limit. */
export interface ExternalToolSettings {
  readonly risk?: Risk;
  readonly effects?: Effects;
  readonly timeoutMs?: number;
}

type SettingsByTool = Readonly<Record<string, ExternalToolSettings>>;

interface ProgramsOptions {
  readonly name: string;
  readonly directories: readonly ToolDirectory[];
  readonly programs: ProgramContext;
  readonly settings: SettingsByTool;
  /** The tools of the last load: an unchanged one stays the same object. */
  readonly known: ReadonlyMap<string, Tool>;
}

/** Finds the programs in folders and returns them as tools. */
export async function loadPrograms(
  { name, directories, programs, settings, known }: ProgramsOptions,
  signal: AbortSignal,
): Promise<Loaded & Pick<ProgramsOptions, "known">> {
  const discovered = await discover(directories, programs, signal);
  const runnable = discovered.filter((one) => "program" in one);
  const tools = runnable.map((one): [string, Tool] => {
    const key = JSON.stringify(one);
    return [key, known.get(key) ?? toTool(one, programs, settingsOf(one.declaration.name, settings))];
  });
  return {
    tools: tools.map(([, tool]) => tool),
    problems: problemsOf(name, discovered),
    known: new Map(tools),
  };
}

/** Returns everything that discovery would read, as a text to compare. */
export async function stateOf(folders: readonly string[]): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => listPrograms(folder).catch(String)));
  return JSON.stringify(lists);
}

/** Returns declared commands as tools. */
export function loadCommands(
  commands: Readonly<Record<string, JsonObject>>,
  {
    name,
    context,
    settings,
  }: { readonly name: string; readonly context: ProgramContext; readonly settings: SettingsByTool },
): Loaded {
  const read = Object.entries(commands).map(([own, document]) => ({
    own,
    declared: readDeclaredCommand({ ...document, name: own }),
  }));
  const tools = read.flatMap(({ own, declared }): readonly Tool[] => {
    if ("problem" in declared) return [];
    const { declaration, command } = declared;
    const run = { ...context, name: own, command };
    return [
      {
        ...specOf(declaration, settingsOf(own, settings)),
        source: `external:${name}`,
        run: (input, given) => runDeclared(run, input, given),
      },
    ];
  });
  const problems = read.flatMap(({ own, declared }) =>
    "problem" in declared ? [{ source: name, subject: own, ...declared.problem }] : [],
  );
  return { tools, problems };
}

function settingsOf(name: string, settings: SettingsByTool): ExternalToolSettings {
  return (Object.hasOwn(settings, name) ? settings[name] : undefined) ?? {};
}

type Found = Extract<Discovered, { readonly program: unknown }>;

function toTool(
  { program, declaration, command }: Found,
  context: ProgramContext,
  own: ExternalToolSettings,
): Tool {
  const run = { ...context, name: declaration.name, program };
  return {
    ...specOf(declaration, own),
    source: `external:${program.path}`,
    async run(input, given) {
      if (command === undefined) return withContent(await runProgram(run, input, given));
      assertUnchanged(program);
      return runDeclared({ ...run, command }, input, given);
    },
  };
}

/** Time for an aborted call to end: enough for KILL to take effect and the output to be read. */
const GRACE_MS = KILL_MS + 1500;

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

function problemsOf(source: string, discovered: readonly Discovered[]): readonly SourceProblem[] {
  return discovered.flatMap((one) =>
    "problem" in one ? [{ source, subject: one.path, ...one.problem }] : [],
  );
}

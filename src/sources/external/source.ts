import type { Loaded, SourceProblem, ToolSource } from "../../core/source.ts";
import type { Effects, Limits, Risk } from "../../core/spec.ts";
import type { Tool } from "../../core/tool.ts";
import { createRoster } from "../../system/process/roster.ts";
import { watchFolders } from "../watch-folders.ts";
import type { Discovered, ToolDirectory } from "./discover.ts";
import { discover } from "./discover.ts";
import { listPrograms } from "./list-programs.ts";
import type { ProgramContext } from "./program.ts";
import { KILL_MS, runProgram } from "./run-program.ts";

/** What the user says of one tool; the program itself has no say in it. */
export interface ExternalToolSettings {
  readonly risk?: Risk;
  readonly effects?: Effects;
  readonly timeoutMs?: number;
}

export interface ExternalOptions extends Omit<ProgramContext, "roster"> {
  /** Left out: `external`. */
  readonly name?: string;
  /** In the order in which names are given away. */
  readonly directories: readonly ToolDirectory[];
  /** By tool name. Left out: high risk, unsafe, and the deadline that its schema asks for. */
  readonly tools?: Readonly<Record<string, ExternalToolSettings>>;
  /** Where running processes are noted, so that `endOrphans` can end them after a crash; left out: nowhere. */
  readonly stateFolder?: string;
}

/** How long an ended call may take: it leaves room for the KILL to work and the output to be read. */
const GRACE_MS = KILL_MS + 1500;

/**
 * The programs of some folders as tools: each is asked for its schema, and called with JSON on its standard input. Whatever a
 * program says of itself, it is of high risk unless the options say otherwise.
 */
export function createExternalSource(options: ExternalOptions): ToolSource {
  const { name = "external", directories, cwd, environment, tools: settings = {} } = options;
  const asking: ProgramContext = { cwd, environment, roster: createRoster() };
  const calling: ProgramContext = { cwd, environment, roster: createRoster(options.stateFolder) };
  let known = new Map<string, Tool>();
  return {
    name,
    async load(signal): Promise<Loaded> {
      const discovered = await discover(directories, asking, signal);
      const found = discovered.filter((one) => "program" in one);
      const tools = found.map((one): [string, Tool] => {
        const own = Object.hasOwn(settings, one.declaration.name)
          ? settings[one.declaration.name]
          : undefined;
        const key = JSON.stringify(one);
        return [key, known.get(key) ?? toTool(one, calling, own)];
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

/** All that discovery would see, as a text to compare. */
async function stateOf(folders: readonly string[]): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => listPrograms(folder).catch(String)));
  return JSON.stringify(lists);
}

type Found = Extract<Discovered, { readonly program: unknown }>;

function toTool(
  { program, declaration }: Found,
  context: ProgramContext,
  own: ExternalToolSettings = {},
): Tool {
  const { timeoutMs: asked, ...declared } = declaration;
  const timeoutMs = own.timeoutMs ?? asked;
  const limits: Limits = { graceMs: GRACE_MS, ...(timeoutMs !== undefined && { timeoutMs }) };
  const run = { ...context, name: declaration.name, program };
  return {
    ...declared,
    risk: own.risk ?? "high",
    effects: own.effects ?? "unsafe",
    place: "host",
    source: `external:${program.path}`,
    limits,
    run: (input, context) => runProgram(run, input, context),
  };
}

function problemsOf(source: string, discovered: readonly Discovered[]): readonly SourceProblem[] {
  return discovered.flatMap((one) =>
    "problem" in one ? [{ source, subject: one.path, ...one.problem }] : [],
  );
}

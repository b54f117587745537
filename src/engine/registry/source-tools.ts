import { ToolError } from "../../core/errors.ts";
import type { SourceProblem } from "../../core/source.ts";
import { namesOfTool, type Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { toFault } from "../../util/json/fault.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import type { Registrar } from "../types/engine-parts.ts";
import type { Presets } from "../types/registry.ts";
import type { ToolValidators } from "../types/tool-entry.ts";
import { createValidators, emitAdded, register, unregister } from "./registry.ts";

/** The tools of one source in the registry, and the problems of those that could not be registered. */
export interface SourceTools {
  /**
   * Replaces the source's tools in one step: adds new ones, removes missing ones, replaces changed ones and keeps the rest.
   * A tool whose name is taken is left out, and is added as soon as the name is free.
   */
  replace(tools: readonly Tool[]): ToolChanges;
  count(): number;
  problems(): readonly SourceProblem[];
}

/** The names of added, changed and removed tools. */
export interface ToolChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

type PresetsByTool = Readonly<Record<string, Presets>>;

interface State {
  readonly source: string;
  readonly presets: PresetsByTool;
  readonly registered: Map<string, Tool>;
  wanted: readonly Tool[];
  problems: readonly SourceProblem[];
  hasLoaded: boolean;
}

/** Returns a function that opens the place of one more source in the registry. */
export function createSourceTools(
  registrar: Registrar,
): (source: string, presets?: PresetsByTool) => SourceTools {
  const states: State[] = [];

  /** Gives a name to the source that was added first, even if a later one loaded faster. */
  const reclaim = (name: string, claimant: State): void => {
    const tool = registrar.registry.find(name)?.entry.tool;
    const owner = states.find((state) => tool !== undefined && state.registered.get(tool.name) === tool);
    if (tool === undefined || owner === undefined || states.indexOf(owner) <= states.indexOf(claimant))
      return;
    owner.registered.delete(tool.name);
    unregister(registrar, tool.name);
  };

  const replace = (state: State, tools: readonly Tool[]): ToolChanges => {
    if (!state.hasLoaded) for (const name of tools.flatMap(namesOfTool)) reclaim(name, state);
    state.hasLoaded = true;
    state.wanted = tools;
    const changes = update(registrar, state);
    for (const other of states) {
      const isBlocked = other !== state && other.registered.size < other.wanted.length;
      if (isBlocked) update(registrar, other);
    }
    if (changes.added.length + changes.changed.length > 0)
      sort(registrar, states.slice(states.indexOf(state)));
    return changes;
  };

  return (source, presets = {}) => {
    const state: State = {
      source,
      presets,
      registered: new Map(),
      wanted: [],
      problems: [],
      hasLoaded: false,
    };
    states.push(state);
    return {
      replace: (tools) => replace(state, tools),
      count: () => state.registered.size,
      problems: () => [...state.problems, ...unusedPresets(registrar, states, state)],
    };
  };
}

/** Registers as many of the wanted tools as possible and removes all others of the source. */
function update(registrar: Registrar, state: State): ToolChanges {
  const { registered, wanted } = state;
  const names = new Set(wanted.map(({ name }) => name));
  const removed = [...registered.keys()].filter((name) => !names.has(name));
  for (const name of removed) remove(registrar, state, name);
  const [added, changed]: [string[], string[]] = [[], []];
  const problems: SourceProblem[] = [];
  const firsts = new Map<string, Tool>();
  for (const tool of wanted) {
    const first = firsts.get(tool.name) ?? tool;
    firsts.set(tool.name, first);
    if (first !== tool) problems.push(twice(state, tool, first));
    const before = ownTool(registrar, state, tool.name);
    if (first !== tool || before === tool) continue;
    const problem = add(registrar, state, tool, before);
    if (problem !== undefined) {
      remove(registrar, state, tool.name);
      problems.push(problem);
    } else if (before === undefined) added.push(tool.name);
    else if (!looksSame(before, tool)) changed.push(tool.name);
  }
  state.problems = problems;
  return { added, changed, removed };
}

/** Sorts tools by source, not by loading speed, so that a model provider can cache the same list. */
function sort(registrar: Registrar, states: readonly State[]): void {
  for (const state of states) {
    for (const name of new Set(state.wanted.map((tool) => tool.name)))
      if (ownTool(registrar, state, name) !== undefined) registrar.registry.moveToEnd(name);
  }
}

/** Returns the source's tool of a name, unless another tool replaced it. */
function ownTool({ registry }: Registrar, { registered }: State, name: string): Tool | undefined {
  const tool = registered.get(name);
  return tool !== undefined && registry.find(name)?.entry.tool === tool ? tool : undefined;
}

function remove(registrar: Registrar, state: State, name: string): void {
  if (ownTool(registrar, state, name) !== undefined) unregister(registrar, name);
  state.registered.delete(name);
}

function add(
  registrar: Registrar,
  state: State,
  tool: Tool,
  before: Tool | undefined,
): SourceProblem | undefined {
  const validators = createValidators(tool.input, tool.output);
  const unusable = unusableSchema(validators);
  if (unusable !== undefined) return problemOf(state, tool, { reason: "bad_schema", message: unusable });
  const presets = Object.hasOwn(state.presets, tool.name) ? state.presets[tool.name] : undefined;
  try {
    register(registrar, [tool], () => ({
      replace: before !== undefined,
      validators,
      ...defined({ presets }),
    }));
  } catch (error) {
    return refused(state, tool, error);
  }
  state.registered.set(tool.name, tool);
  if (before === undefined || !looksSame(before, tool)) emitAdded(registrar, tool);
  return undefined;
}

function unusableSchema({ input, output }: ToolValidators): string | undefined {
  const checked = input.check({});
  if (!checked.ok && "unusable" in checked) return `its input schema cannot be used: ${checked.unusable}`;
  const answer = output?.check(null);
  return answer?.ok === false && "unusable" in answer
    ? `its output schema cannot be used: ${answer.unusable}`
    : undefined;
}

/** Returns whether two tools look the same to a model, even if their code differs. */
function looksSame(a: Tool, b: Tool): boolean {
  return JSON.stringify(shownParts(a)) === JSON.stringify(shownParts(b));
}

function shownParts(tool: Tool): readonly unknown[] {
  const { name, description, input, output, risk, place, source, group, effects, limits, aliases } = tool;
  return [name, description, input, output, risk, place, source, group, effects, limits, aliases];
}

function refused(state: State, tool: Tool, error: unknown): SourceProblem {
  const { message, hint, details = {} } = toFault(error);
  const { reason: cause, holder } = error instanceof ToolError ? details : {};
  if (cause === "name_taken" && typeof holder === "string")
    return problemOf(state, tool, { reason: cause, message: `${message} by ${holder}` });
  const reason = cause === "bad_name" ? cause : "failed";
  return problemOf(state, tool, { reason, message, ...defined({ hint }) });
}

/**
 * Returns the presets that match no tool: a misspelt name would show the model the parameter that it should hide. Sources that share
 * their presets share the problem, which the first of them reports when all have loaded.
 */
function unusedPresets(
  { registry }: Registrar,
  states: readonly State[],
  { source, presets }: State,
): readonly SourceProblem[] {
  const sharing = states.filter((state) => state.presets === presets);
  if (sharing[0]?.source !== source || !sharing.every(({ hasLoaded }) => hasLoaded)) return [];
  const names = new Set(sharing.flatMap(({ wanted }) => wanted.map(({ name }) => name)));
  return Object.keys(presets)
    .filter((name) => !names.has(name) && registry.find(name) === undefined)
    .map((name) => ({
      source,
      subject: name,
      reason: "failed",
      message: `presets for "${name}", which is not a tool`,
      hint: nearHint(name, names, "check the name of the tool"),
    }));
}

function twice(state: State, tool: Tool, first: Tool): SourceProblem {
  const message = `the name "${tool.name}" is taken by "${first.name}" of ${first.source}`;
  return problemOf(state, tool, { reason: "name_taken", message });
}

function problemOf(
  { source }: State,
  { name, source: origin }: Tool,
  { message, ...problem }: Pick<SourceProblem, "reason" | "message" | "hint">,
): SourceProblem {
  return { source, subject: name, message: `${origin}: ${message}`, ...problem };
}

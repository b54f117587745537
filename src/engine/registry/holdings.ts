import { ToolError } from "../../core/errors.ts";
import type { SourceProblem } from "../../core/source.ts";
import type { Tool } from "../../core/tool.ts";
import { toFault } from "../../util/json/fault.ts";
import type { Presets } from "../types/registry.ts";
import type { Registrar } from "./register.ts";
import { register, tellAdded, unregister } from "./register.ts";
import { createValidator } from "../../schema/validate.ts";

/** What one source has in the registry, and what of it could not get in. */
export interface Holding {
  /**
   * Swaps its tools for these in one step: new ones come, missing ones go, changed ones are replaced, the others stay as they
   * are. A name that is taken is never taken over: the tool is left out, and comes in by itself when the name is free.
   */
  swap(tools: readonly Tool[]): Swapped;
  tools(): number;
  problems(): readonly SourceProblem[];
}

/** The names of what a swap has changed. */
export interface Swapped {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface Holdings {
  /** A place for one more source. Presets are keyed by tool name. */
  open(source: string, presets: Readonly<Record<string, Presets>> | undefined): Holding;
}

interface State {
  readonly source: string;
  readonly presets: Readonly<Record<string, Presets>>;
  readonly held: Map<string, Tool>;
  wanted: readonly Tool[];
  problems: readonly SourceProblem[];
  hasSwapped: boolean;
}

/** What all sources of an engine have in its registry. */
export function createHoldings(registrar: Registrar): Holdings {
  const states: State[] = [];

  /** Of sources that load at once, the one that was added first has the name, whichever is faster. */
  const takeBack = (name: string, taker: State): void => {
    const tool = registrar.registry.find(name)?.entry.tool;
    const holder = states.find((state) => tool !== undefined && state.held.get(tool.name) === tool);
    if (tool === undefined || holder === undefined || states.indexOf(holder) <= states.indexOf(taker)) return;
    holder.held.delete(tool.name);
    unregister(registrar, tool.name);
  };

  const swap = (state: State, tools: readonly Tool[]): Swapped => {
    if (!state.hasSwapped) for (const name of tools.flatMap(namesOf)) takeBack(name, state);
    state.hasSwapped = true;
    state.wanted = tools;
    const swapped = settle(registrar, state);
    for (const other of states) {
      const isBlocked = other !== state && other.held.size < other.wanted.length;
      if (isBlocked) settle(registrar, other);
    }
    if (swapped.added.length + swapped.changed.length > 0)
      sort(registrar, states.slice(states.indexOf(state)));
    return swapped;
  };

  return {
    open(source, presets = {}) {
      const state: State = { source, presets, held: new Map(), wanted: [], problems: [], hasSwapped: false };
      states.push(state);
      return {
        swap: (tools) => swap(state, tools),
        tools: () => state.held.size,
        problems: () => state.problems,
      };
    },
  };
}

/** Makes the registry hold as much as it can of what a source wants, and nothing else of it. */
function settle(registrar: Registrar, state: State): Swapped {
  const { held, wanted } = state;
  const names = new Set(wanted.map(({ name }) => name));
  const removed = [...held.keys()].filter((name) => !names.has(name));
  for (const name of removed) drop(registrar, state, name);
  const [added, changed]: [string[], string[]] = [[], []];
  const problems: SourceProblem[] = [];
  const firsts = new Map<string, Tool>();
  for (const tool of wanted) {
    const first = firsts.get(tool.name) ?? tool;
    firsts.set(tool.name, first);
    if (first !== tool) problems.push(twice(state, tool, first));
    const before = ownTool(registrar, state, tool.name);
    if (first !== tool || before === tool) continue;
    const problem = enter(registrar, state, tool, before);
    if (problem !== undefined) {
      drop(registrar, state, tool.name);
      problems.push(problem);
    } else if (before === undefined) added.push(tool.name);
    else if (!isAlike(before, tool)) changed.push(tool.name);
  }
  state.problems = problems;
  return { added, changed, removed };
}

/** The order of sources, not of their speed: a model that is shown the same tools in the same order need not read them anew. */
function sort(registrar: Registrar, states: readonly State[]): void {
  for (const state of states) {
    for (const name of new Set(state.wanted.map((tool) => tool.name)))
      if (ownTool(registrar, state, name) !== undefined) registrar.registry.moveToEnd(name);
  }
}

/** What the source has under a name; what somebody has put in its place is theirs. */
function ownTool({ registry }: Registrar, { held }: State, name: string): Tool | undefined {
  const tool = held.get(name);
  return tool !== undefined && registry.find(name)?.entry.tool === tool ? tool : undefined;
}

function drop(registrar: Registrar, state: State, name: string): void {
  if (ownTool(registrar, state, name) !== undefined) unregister(registrar, name);
  state.held.delete(name);
}

function enter(
  registrar: Registrar,
  state: State,
  tool: Tool,
  before: Tool | undefined,
): SourceProblem | undefined {
  const unusable = unusableSchema(tool);
  if (unusable !== undefined) return problemOf(state, tool, { reason: "bad_schema", message: unusable });
  const presets = Object.hasOwn(state.presets, tool.name) ? state.presets[tool.name] : undefined;
  try {
    register(registrar, [tool], () => ({
      replace: before !== undefined,
      ...(presets !== undefined && { presets }),
    }));
  } catch (error) {
    return refused(state, tool, error);
  }
  state.held.set(tool.name, tool);
  if (before === undefined || !isAlike(before, tool)) tellAdded(registrar, tool);
  return undefined;
}

function unusableSchema({ input, output }: Tool): string | undefined {
  const checked = createValidator(input).check({});
  if (!checked.ok && "unusable" in checked) return `its input schema cannot be used: ${checked.unusable}`;
  if (output === undefined) return undefined;
  const answer = createValidator(output, { coerce: false }).check(null);
  return !answer.ok && "unusable" in answer
    ? `its output schema cannot be used: ${answer.unusable}`
    : undefined;
}

/** The same to whoever looks at it, even if other code stands behind it. */
function isAlike(a: Tool, b: Tool): boolean {
  return JSON.stringify(shownParts(a)) === JSON.stringify(shownParts(b));
}

function shownParts(tool: Tool): readonly unknown[] {
  const { name, description, input, output, risk, place, source, group, effects, limits, aliases } = tool;
  return [name, description, input, output, risk, place, source, group, effects, limits, aliases];
}

function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name))];
}

function refused(state: State, tool: Tool, error: unknown): SourceProblem {
  const { message, hint, details = {} } = toFault(error);
  const { reason: told, holder } = error instanceof ToolError ? details : {};
  if (told === "name_taken" && typeof holder === "string")
    return problemOf(state, tool, { reason: told, message: `${message} by ${holder}` });
  const reason = told === "bad_name" ? told : "failed";
  return problemOf(state, tool, { reason, message, ...(hint !== undefined && { hint }) });
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

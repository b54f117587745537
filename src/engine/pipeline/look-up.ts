import type { Fault } from "../../core/result.ts";
import { defined } from "../../util/json/defined.ts";
import { nearNames } from "../../util/text/near-names.ts";
import { shortened } from "../../util/text/shortened.ts";
import type { CallState, StageOutcome } from "../call/call-state.ts";
import { PROVIDER_FORMATS } from "../../formats/tool-names.ts";
import { isActive } from "../registry/active-tools.ts";
import type { FoundTool, Registry, ToolEntry } from "../types/tool-entry.ts";
import { wantedPlace } from "./route.ts";

/** Stage: binds the call to an active tool by name, alias or the name that a provider was shown. */
export function lookUp(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { call, engine, options } = state;
  if (options.depth !== undefined && options.depth > MAX_DEPTH) return tooDeep(state);
  if (call.unreadable !== undefined)
    return { code: "UNREADABLE_CALL", message: call.unreadable, hint: "correct the call and send it again" };
  const match = find(engine.registry, call.name);
  if (match !== undefined) return bind(state, match);
  const loads = engine.sources.loads(call.name);
  return loads.length === 0 ? notFound(state) : bindLater(state, loads);
}

/** Stops endless recursion of tools before the stack overflows. */
const MAX_DEPTH = 50;

function tooDeep({ call }: CallState): Fault {
  return {
    code: "TOOL_FAILED",
    message: `"${call.name}" did not run: tools may call each other at most ${MAX_DEPTH} levels deep`,
    hint: "end the recursion earlier",
    details: { depth: MAX_DEPTH },
  };
}

/** A model may repeat itself endlessly in a name. */
const MAX_SHOWN_NAME = 200;

/** Waits for the loading sources, but only until one of them provides the tool. */
async function bindLater(state: CallState, loads: readonly Promise<unknown>[]): Promise<StageOutcome> {
  const { registry } = state.engine;
  const { name } = state.call;
  const isDecided = new Promise<void>((resolve) => {
    const look = (): void => void (find(registry, name) !== undefined && resolve());
    for (const load of loads) void load.then(look);
    void Promise.all(loads).then(() => resolve());
  });
  await state.orCancelled(isDecided);
  const match = find(registry, name);
  return match === undefined ? notFound(state) : bind(state, match);
}

function bind(state: CallState, found: FoundTool): StageOutcome {
  const view = state.session ?? state.engine;
  if (!isActive(view, found.entry)) return disabled(found.entry, state);
  state.entry = found.entry;
  state.context.tool = found.entry.tool;
  state.place = wantedPlace(state, found.entry.tool);
  state.parameterAliases = found.parameterAliases;
  return undefined;
}

function find(registry: Registry, name: string): FoundTool | undefined {
  return registry.find(name) ?? findShown(registry, name);
}

/** Finds a tool by the name that a provider was shown, if that is not its own. */
function findShown(registry: Registry, name: string): FoundTool | undefined {
  for (const format of PROVIDER_FORMATS) {
    const original = registry.names(format).original(name);
    if (original !== undefined) return registry.find(original);
  }
  return undefined;
}

/** Returns the fault of a tool that its source has changed or added and the user has not approved. Quotes nothing of its definition. */
function unapproved({ call, engine }: CallState): Fault | undefined {
  const problem = engine.sources
    .problems()
    .find(({ subject, reason }) => reason === "changed" && subject === call.name);
  if (problem === undefined) return undefined;
  const message = `"${call.name}" changed since you approved it, or was added`;
  return { code: "TOOL_DISABLED", message, ...defined({ hint: problem.hint }) };
}

/** Returns the fault of a tool whose source could not be loaded: what a server is missing is not what is wrong with the name. */
function absent({ call, engine }: CallState): Fault | undefined {
  const [problem] = engine.sources.problems(call.name);
  if (problem === undefined) return undefined;
  const { subject, message, hint } = problem;
  const name = shortened(call.name, MAX_SHOWN_NAME);
  const fault = {
    code: "TOOL_NOT_FOUND",
    message: `"${name}" is not there: ${subject}: ${message}`,
  } as const;
  return { ...fault, ...defined({ hint }), details: { near: [] } };
}

function notFound(state: CallState): Fault {
  const { call, engine, session } = state;
  const other = unapproved(state) ?? absent(state);
  if (other !== undefined) return other;
  const view = session ?? engine;
  const active = [...engine.registry.entries()].filter((entry) => isActive(view, entry));
  const names = active.map((entry) => entry.tool.name);
  const near = nearNames(call.name, names);
  const fault: Fault = {
    code: "TOOL_NOT_FOUND",
    message: `no tool is named "${shortened(call.name, MAX_SHOWN_NAME)}"`,
    hint: active.length === 0 ? "no tools are active" : "use one of the active tools, by its exact name",
  };
  if (near.length === 0) return fault;
  return { ...fault, hint: `did you mean ${near.join(" or ")}?`, details: { near } };
}

/** Returns the fault of an inactive tool; its hint is the call that activates the tool, if there is one. */
function disabled({ tool, group = "" }: ToolEntry, { engine, session }: CallState): Fault {
  const state = (session ?? engine).groups.list().find(({ name }) => name === group);
  const isOff = state?.active === false;
  const why = isOff
    ? `its group "${group}" is off`
    : "a request has no room for all tools, and it is left out";
  const hint =
    isOff && state.locked
      ? `only the user can activate the group "${group}"`
      : engine.registry.find(ACTIVATES) === undefined
        ? `activate the group "${group}" first`
        : `activate it with ${ACTIVATES} ${JSON.stringify({ tools: [tool.name] })}`;
  return { code: "TOOL_DISABLED", message: `"${tool.name}" is not active: ${why}`, hint, details: { group } };
}

const ACTIVATES = "activate_tools";

import type { Fault } from "../../core/result.ts";
import { isActive } from "../state/active-tools.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type * as naming from "../../util/text/near-names.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import type { Entry, Found, Registry } from "../registry/registry.ts";
import { PROVIDER_FORMATS } from "../types/provider-format.ts";

/** Station: binds the call to an active tool, by name or alias. */
export function lookUp(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { call, line, options } = passage;
  if (options.depth !== undefined && options.depth > MAX_DEPTH) return tooDeep(passage);
  if (call.unreadable !== undefined) {
    return { code: "UNREADABLE_CALL", message: call.unreadable, hint: "send the call again, as valid JSON" };
  }
  const found = find(line.registry, call.name);
  if (found !== undefined) return bind(passage, found);
  const loads = line.sources.loads();
  return loads.length === 0 ? notFound(passage) : bindLater(passage, loads);
}

/** A tool that calls itself without end must come to one before the stack does. */
const MAX_DEPTH = 50;

function tooDeep({ call }: Passage): Fault {
  return {
    code: "TOOL_FAILED",
    message: `"${call.name}" was not run: calls that tools make are nested ${MAX_DEPTH} deep at most`,
    hint: "have the tool call itself less often, or not at all",
    details: { depth: MAX_DEPTH },
  };
}

/** Waits for the sources that load now, but only until one of them has brought the tool. */
async function bindLater(passage: Passage, loads: readonly Promise<unknown>[]): Promise<StationOutcome> {
  const { registry } = passage.line;
  const { name } = passage.call;
  const isOver = new Promise<void>((resolve) => {
    const look = (): void => void (find(registry, name) !== undefined && resolve());
    for (const load of loads) void load.then(look);
    void Promise.all(loads).then(() => resolve());
  });
  await passage.orCancelled(isOver);
  const found = find(registry, name);
  return found === undefined ? notFound(passage) : bind(passage, found);
}

function bind(passage: Passage, found: Found): StationOutcome {
  const groups = passage.session?.groups ?? passage.line.groups;
  if (!isActive(groups, found.entry)) return disabled(found.entry);
  passage.entry = found.entry;
  passage.context.tool = found.entry.tool;
  passage.renames = found.renames;
  return undefined;
}

function find(registry: Registry, name: string): Found | undefined {
  return registry.find(name) ?? findShown(registry, name);
}

/** A tool by the name that a provider was shown, where that is not its own. */
function findShown(registry: Registry, name: string): Found | undefined {
  for (const format of PROVIDER_FORMATS) {
    const original = registry.names(format).original(name);
    if (original !== undefined) return registry.find(original);
  }
  return undefined;
}

function notFound({ call, line, session }: Passage): Fault {
  const groups = session?.groups ?? line.groups;
  const active = [...line.registry.entries()].filter((entry) => isActive(groups, entry));
  const { nearNames } = loadBeside(import.meta.url, "../../util/text/near-names") as typeof naming;
  const near = nearNames(
    call.name,
    active.map((entry) => entry.tool.name),
  );
  const fault: Fault = {
    code: "TOOL_NOT_FOUND",
    message: `no tool is named "${call.name}"`,
    hint: active.length === 0 ? "no tools are active" : "use one of the active tools, by its exact name",
  };
  if (near.length === 0) return fault;
  return { ...fault, hint: `did you mean ${near.join(" or ")}?`, details: { near } };
}

function disabled({ tool, group = "" }: Entry): Fault {
  return {
    code: "TOOL_DISABLED",
    message: `"${tool.name}" is not active: its group "${group}" is off`,
    hint: `activate the group "${group}" first`,
    details: { group },
  };
}

import { ToolError } from "../../core/errors.ts";
import type { GroupState, ToolChoice, ToolList } from "../../core/session/active-tools.ts";
import type { EngineParts, OpenSession } from "../types/engine-parts.ts";
import type { Registry, ToolEntry } from "../types/tool-entry.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { knownGroups } from "./groups.ts";
import { defined } from "../../util/json/defined.ts";

type ToolParts = Pick<EngineParts, "registry" | "groups" | "sessions">;

/** The switches of a session, or of the engine, which has no window. */
export type ToolView = Pick<EngineParts, "groups"> & Partial<Pick<OpenSession, "window">>;

/** Returns the tools of a session, or of the engine, for a tool that lists or activates them. */
export function activeTools(engine: ToolParts, session: string | undefined): ToolList {
  const { registry } = engine;
  const view = viewOf(engine, session);
  const { groups, window } = view;
  return {
    get(name) {
      const entry = registry.find(name)?.entry;
      return entry !== undefined && isActive(view, entry) ? entry.tool : undefined;
    },
    list: () =>
      activeEntries(engine, session)
        .filter(({ tool }) => window?.includes(tool.name) !== false)
        .map(specOf),
    *all() {
      for (const entry of registry.entries()) {
        const { tool, group } = entry;
        if (window?.includes(tool.name) !== false) yield { tool, group, active: isActive(view, entry) };
      }
    },
    get version() {
      return window?.version ?? registry.version;
    },
    groups: () => groups.list(),
    choose: (choice) => choose(view, registry, choice),
  };
}

/** Returns the active entries of a session, or of the engine. */
export function activeEntries(engine: ToolParts, session: string | undefined): readonly ToolEntry[] {
  const view = viewOf(engine, session);
  const entries = [...engine.registry.entries()].filter((entry) => isActive(view, entry));
  return view.window?.inOrder(entries) ?? entries;
}

/** Returns whether a session with these switches, or the engine, can use a tool. */
export function isActive({ groups, window }: ToolView, { group, tool }: ToolEntry): boolean {
  if (!groups.isActive(group, tool.name)) return window?.demands(tool.name) === true;
  return window?.hides(tool.name) !== true;
}

/** Returns the switches of a session, or of the engine. */
export function viewOf(engine: ToolParts, session: string | undefined): ToolView {
  return session === undefined ? { groups: engine.groups } : engine.sessions.open(session);
}

/** Checks everything before it switches anything; locked groups stay unchanged. */
function choose(
  { groups, window }: ToolView,
  registry: Registry,
  { groups: wanted = [], tools = [], replace = false }: ToolChoice,
): () => void {
  const all = groups.list();
  for (const group of knownGroups(all, wanted)) refuseLocked(group, group.name);
  const entries = tools.map((name) => entryOf(name, registry, window));
  for (const { group, tool } of entries) {
    const namedGroup = all.find(({ name }) => name === group);
    if (namedGroup !== undefined) refuseLocked(namedGroup, tool.name);
  }
  const ofGroups = [...registry.entries()].filter(
    ({ group, tool }) =>
      group !== undefined && wanted.includes(group) && window?.includes(tool.name) !== false,
  );
  window?.checkRoom([...entries, ...ofGroups], { replaces: replace });
  const free = all.filter(({ locked }) => !locked).map(({ name }) => name);
  const names = entries.map(({ tool }) => tool.name);
  const undo = groups.snapshot();
  if (replace) groups.deactivate(free.filter((name) => !wanted.includes(name)));
  groups.activate(free.filter((name) => wanted.includes(name)));
  if (replace) groups.allowOnly(names);
  else if (names.length > 0) groups.allow(names);
  return undo;
}

function entryOf(name: string, registry: Registry, window: OpenSession["window"] | undefined): ToolEntry {
  const entry = registry.find(name)?.entry;
  return entry === undefined || window?.includes(entry.tool.name) === false ? unknownTool(name) : entry;
}

function refuseLocked({ locked, active }: GroupState, name: string): void {
  if (!locked || active) return;
  throw new ToolError("DENIED", `"${name}" is locked: only the user can activate it`);
}

function unknownTool(name: string): never {
  throw new ToolError("INVALID_INPUT", `no tool is named "${name}"`, {
    hint: "find tools with search_tools",
  });
}

/** Returns the specs of tools as a model may see them all together. */
export function specsOf(entries: readonly ToolEntry[]): readonly ToolSpec[] {
  const specs = entries.map(specOf);
  return specs.map((spec, index) => {
    const tool = entries[index]?.tool;
    return tool?.describe === undefined ? spec : { ...spec, description: tool.describe(specs) };
  });
}

/** Returns the spec of a registered tool as a model may see it, without presets and functions. */
function specOf({ tool, shown, group }: ToolEntry): ToolSpec {
  const { name, description, output, risk, place, source, effects, limits, listed } = tool;
  return {
    name,
    description,
    input: shown,
    risk,
    place,
    source,
    effects,
    ...defined({ output, group, limits, listed }),
  };
}

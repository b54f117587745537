import { ToolError } from "../../core/errors.ts";
import type { GroupState, ToolChoice, ToolList } from "../../core/session/active-tools.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { Groups } from "../types/registry.ts";
import type { Registry, ToolEntry } from "../types/tool-entry.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { knownGroups } from "./groups.ts";
import { defined } from "../../util/json/defined.ts";

type ToolParts = Pick<EngineParts, "registry" | "groups" | "sessions">;

/** Returns the tools of a session, or of the engine, for a tool that lists or activates them. */
export function activeTools(engine: ToolParts, session: string | undefined): ToolList {
  const { registry } = engine;
  const groups = groupsOf(engine, session);
  return {
    get(name) {
      const entry = registry.find(name)?.entry;
      return entry !== undefined && isActive(groups, entry) ? entry.tool : undefined;
    },
    list: () => activeEntries(engine, session).map(specOf),
    *all() {
      for (const entry of registry.entries())
        yield { tool: entry.tool, group: entry.group, active: isActive(groups, entry) };
    },
    get version() {
      return registry.version;
    },
    groups: () => groups.list(),
    choose: (choice) => choose(groups, registry, choice),
  };
}

/** Returns the active entries of a session, or of the engine. */
export function activeEntries(engine: ToolParts, session: string | undefined): readonly ToolEntry[] {
  const groups = groupsOf(engine, session);
  return [...engine.registry.entries()].filter((entry) => isActive(groups, entry));
}

/** Returns whether a session with these group switches can use a tool. */
export function isActive(groups: Groups, { group, tool }: ToolEntry): boolean {
  return groups.isActive(group, tool.name);
}

/** Returns the group switches of a session, or of the engine. */
export function groupsOf({ groups, sessions }: ToolParts, session: string | undefined): Groups {
  return session === undefined ? groups : sessions.open(session).groups;
}

/** Checks everything before it switches anything; locked groups stay unchanged. */
function choose(groups: Groups, registry: Registry, { groups: wanted = [], tools = [] }: ToolChoice): void {
  const all = groups.list();
  for (const group of knownGroups(all, wanted)) refuseLocked(group, group.name);
  const entries = tools.map((name) => registry.find(name)?.entry ?? unknownTool(name));
  for (const { group, tool } of entries) {
    const found = all.find(({ name }) => name === group);
    if (found !== undefined) refuseLocked(found, tool.name);
  }
  const free = all.filter(({ locked }) => !locked).map(({ name }) => name);
  groups.deactivate(free.filter((name) => !wanted.includes(name)));
  groups.activate(free.filter((name) => wanted.includes(name)));
  groups.allowOnly(entries.map(({ tool }) => tool.name));
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

import type { ToolChoice, ToolList } from "../../core/session/active-tools.ts";
import { ToolError } from "../../core/errors.ts";
import type { Groups } from "../types/registry.ts";
import type { Line } from "./line.ts";
import type { Entry, Registry } from "../registry/registry.ts";
import { specOf } from "../registry/registry.ts";

/** The tools of a session, or of the engine, as a tool may look at and choose them. */
export function activeTools(line: Line, session: string | undefined): ToolList {
  const { registry } = line;
  const groups = groupsOf(line, session);
  return {
    get(name) {
      const entry = registry.find(name)?.entry;
      return entry !== undefined && isActive(groups, entry) ? entry.tool : undefined;
    },
    list: () => activeEntries(line, session).map(specOf),
    *all() {
      for (const entry of registry.entries()) {
        yield { tool: entry.tool, group: entry.group, active: isActive(groups, entry) };
      }
    },
    get version() {
      return registry.version;
    },
    groups: () => groups.list(),
    choose: (choice) => choose(groups, registry, choice),
  };
}

/** Every entry that is active for a session, or on the engine. */
export function activeEntries(line: Line, session: string | undefined): readonly Entry[] {
  const groups = groupsOf(line, session);
  return [...line.registry.entries()].filter((entry) => isActive(groups, entry));
}

/** Whether a session with these switches can use a tool. */
export function isActive(groups: Groups, { group, tool }: Entry): boolean {
  return groups.isActive(group, tool.name);
}

function groupsOf({ groups, sessions }: Line, session: string | undefined): Groups {
  return session === undefined ? groups : sessions.open(session).groups;
}

/** Everything is checked before anything is switched; locked groups stay as they are. */
function choose(groups: Groups, registry: Registry, { groups: wanted = [], tools = [] }: ToolChoice): void {
  const all = groups.list();
  for (const name of wanted)
    refuseLocked(all.find((group) => group.name === name) ?? unknownGroup(name, all), name);
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

function refuseLocked(
  { locked, active }: { readonly locked: boolean; readonly active: boolean },
  name: string,
): void {
  if (!locked || active) return;
  throw new ToolError("DENIED", `"${name}" is locked: only the user can activate it`);
}

function unknownGroup(name: string, all: readonly { readonly name: string }[]): never {
  throw new ToolError("INVALID_INPUT", `there is no group "${name}"`, {
    hint: `groups: ${all.map((group) => group.name).join(", ") || "none"}`,
  });
}

function unknownTool(name: string): never {
  throw new ToolError("INVALID_INPUT", `no tool is named "${name}"`, { hint: "search_tools finds tools" });
}

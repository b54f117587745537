import type { Groups } from "../../../engine/types/registry.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

/** The groups of the built-in tools, and which are active at first. */
const BUILT_IN_GROUPS = [
  { name: "files", description: "files and search", active: true },
  { name: "running", description: "running things", active: true },
  { name: "web", description: "the web", active: true },
  { name: "memory", description: "memory, goals, plans, notes", active: true },
  // A session that switched these off could switch nothing on again.
  { name: "about", description: "the tools about tools", active: true, locked: true },
  { name: "browser", description: "a browser", active: false },
  { name: "proxy", description: "the intercepting proxy", active: false },
  { name: "agents", description: "agents and reports", active: false },
] as const;

/** Makes the groups of the built-in tools, also those that have no tools yet. */
export function createBuiltInGroups(groups: Groups): void {
  for (const { name, ...options } of BUILT_IN_GROUPS) groups.create(name, options);
}

/** Switches groups as the config says; gives back a line for each name that is no group. */
export function switchGroups(groups: Groups, switches: Readonly<Record<string, boolean>>): readonly string[] {
  const names = groups.list().map(({ name }) => name);
  return Object.entries(switches).flatMap(([name, active]) => {
    if (!groups.has(name)) {
      return [`there is no group "${name}"; ${nearHint(name, names, `groups: ${names.join(", ")}`)}`];
    }
    if (active) groups.activate(name);
    else groups.deactivate(name);
    return [];
  });
}

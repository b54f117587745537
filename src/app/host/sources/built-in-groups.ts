import type { Groups } from "../../../engine/types/registry.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

/** The groups of the built-in tools, and which are active at first. */
const BUILT_IN_GROUPS = [
  { name: "files", description: "files and search", active: true },
  { name: "running", description: "running things", active: true },
  { name: "web", description: "the web", active: true },
  { name: "browser", description: "a browser", active: false },
  { name: "memory", description: "memory, goals, plans, notes", active: true },
  // A session that switched these off could not switch anything on again.
  { name: "about", description: "the tools about tools", active: true, locked: true },
  { name: "proxy", description: "intercepting proxy", active: false },
  { name: "agents", description: "agents and reports", active: false },
] as const;

/** Creates the groups of the built-in tools. */
export function createBuiltInGroups(groups: Groups): void {
  for (const { name, ...options } of BUILT_IN_GROUPS) groups.create(name, options);
}

/** Switches groups as the config says; returns a warning for each unknown group. */
export function switchGroups(groups: Groups, switches: Readonly<Record<string, boolean>>): readonly string[] {
  const names = groups.list().map(({ name }) => name);
  return Object.entries(switches).flatMap(([name, active]) => {
    if (!groups.has(name))
      return [`unknown group "${name}"; ${nearHint(name, names, `expected ${names.join(", ")}`)}`];
    if (active) groups.activate(name);
    else groups.deactivate(name);
    return [];
  });
}

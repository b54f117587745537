import type { Engine } from "../../../engine/types/engine.ts";

/** The built-in tools that models use best, without twins. An agent finds the others with search_tools or by their group. */
const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  "glob",
  "grep",
  "ls",
  "read_file",
  "write_file",
  "edit_file",
  "apply_patch",
  "shell",
  "view_background_processes",
  "stop_background_process",
  "web_fetch",
  "todo_write",
  // The default instructions name it: it survives a summary of the conversation.
  "record_decision",
  "subagent",
]);

/** The groups of which an agent has only the default tools at first. */
const REDUCED = ["files", "running", "web", "memory", "agents"];

/**
 * Switches the groups of the built-in tools off except for the default tools, so that the requests of an agent stay small. A
 * group that the config switches stays as the config says. `more` are default tools of the caller. Returns the names of the tools that were switched off.
 */
export function reduceTools(
  engine: Engine,
  switches: Readonly<Record<string, boolean>>,
  more: readonly string[] = [],
): ReadonlySet<string> {
  const before = engine.list();
  const reduced = REDUCED.filter((group) => switches[group] === undefined);
  engine.groups.deactivate(reduced);
  const single = engine
    .list({ all: true })
    .filter(
      ({ name, group = "" }) => (DEFAULT_TOOLS.has(name) || more.includes(name)) && reduced.includes(group),
    );
  engine.groups.allowOnly(single.map(({ name }) => name));
  const active = new Set(engine.list().map(({ name }) => name));
  return new Set(before.flatMap(({ name }) => (active.has(name) ? [] : [name])));
}

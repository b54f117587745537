import type { Tool } from "../../core/tool.ts";
import type { Groups } from "../types/registry.ts";
import type { Listeners } from "../events/listeners.ts";
import type { Masker } from "../../util/text/mask.ts";
import type { Entry, RegisterOptions, Registry } from "./registry.ts";

/** What of an engine knows of its tools. */
export interface Registrar {
  readonly registry: Registry;
  readonly groups: Groups;
  readonly masker: Masker;
  readonly send: Listeners["send"];
  readonly hears: Listeners["hears"];
}

/** Adds tools, makes the groups they name and remembers their secrets. All or nothing; tells nobody. */
export function register(
  { registry, groups, masker }: Registrar,
  tools: readonly Tool[],
  optionsOf: (tool: Tool) => RegisterOptions,
): void {
  registry.add(tools, optionsOf);
  for (const { name } of tools) {
    const found = registry.find(name)?.entry;
    if (found?.group !== undefined && !groups.has(found.group)) groups.create(found.group);
    for (const value of Object.values(found?.hidden ?? {})) learn(value, masker.learn);
  }
}

/** Takes a tool away and tells of it; undefined where there is none of that name. */
export function unregister({ registry, send }: Registrar, name: string): Entry | undefined {
  const removed = registry.remove(name);
  if (removed !== undefined) send({ type: "tool.removed", name, source: removed.tool.source });
  return removed;
}

export function tellAdded({ hears, send }: Registrar, { name, source }: Tool): void {
  if (hears("tool.added")) send({ type: "tool.added", name, source });
}

/** Every text in a hidden value is a secret. */
function learn(value: unknown, remember: (secret: string) => void): void {
  if (typeof value === "string") remember(value);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) learn(part, remember);
}

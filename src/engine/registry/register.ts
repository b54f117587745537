import type { Tool } from "../../core/tool.ts";
import type { Registrar } from "../types/engine-parts.ts";
import type { RegisterOptions, ToolEntry } from "../types/tool-entry.ts";

/** Adds all tools or none, creates the groups they name and learns their secrets. Emits no event. */
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

/** Removes a tool and emits `tool.removed`. Returns undefined if there is no tool of that name. */
export function unregister({ registry, emit }: Registrar, name: string): ToolEntry | undefined {
  const removed = registry.remove(name);
  if (removed !== undefined) emit({ type: "tool.removed", name, source: removed.tool.source });
  return removed;
}

export function emitAdded({ hasListeners, emit }: Registrar, { name, source }: Tool): void {
  if (hasListeners("tool.added")) emit({ type: "tool.added", name, source });
}

/** Treats every text in a hidden value as a secret. */
function learn(value: unknown, remember: (secret: string) => void): void {
  if (typeof value === "string") remember(value);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) learn(part, remember);
}

import type { ToolList } from "../../core/session/active-tools.ts";
import type { JsonObject } from "../../core/json.ts";

/** The active tools of a session: lines by group for a model, and names for programs. */
export interface ActiveDescription {
  readonly lines: readonly string[];
  readonly data: JsonObject & { readonly tools: readonly string[]; readonly groups: readonly string[] };
}

export function describeActive(active: ToolList): ActiveDescription {
  const groups = active.groups();
  const byGroup = new Map<string, string[]>();
  for (const { tool, group = "no group", active: isActive } of active.all()) {
    if (isActive) byGroup.set(group, [...(byGroup.get(group) ?? []), tool.name]);
  }
  const lines = [...byGroup].map(([group, names]) => `${group}: ${names.join(", ")}`);
  const off = groups.filter(({ active: isOn }) => !isOn).map(({ name }) => name);
  const rest = off.length === 0 ? [] : [`[off: ${off.join(", ")}]`];
  return {
    lines: [...lines, ...rest],
    data: {
      tools: [...byGroup.values()].flat(),
      groups: groups.filter((one) => one.active).map((one) => one.name),
    },
  };
}

import { builtIn, ABOUT, named } from "../shared/built-in-tool.ts";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { list, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import type { JsonObject } from "../../core/json.ts";

const input = object({
  groups: optional(list(string("A group's name"), "Groups to activate")),
  tools: optional(list(string("A tool's name"), "Single tools to activate as well")),
});

export const ACTIVATE_TOOLS = named("activate_tools", input, {
  tools: list(string()),
  groups: list(string()),
});

/** Chooses which tools are active in the session. */
export function activateTools(): Tool {
  return builtIn({
    ...ACTIVATE_TOOLS,
    description:
      "Sets the active tools of this session. Give the FINAL set: groups and tools that are not listed are deactivated, " +
      "except those that are always active and the tools about tools. Returns the tools that are active now.",
    ...ABOUT,
    effects: "own-state",
    check: ({ groups, tools }) =>
      groups === undefined && tools === undefined
        ? [{ kind: "missing", path: "/groups", expected: "groups, tools, or both", got: "neither" }]
        : [],
    attributes: ({ groups = [], tools = [] }) => ({ groups: groups.join(" "), tools: tools.join(" ") }),
    run({ groups = [], tools = [] }, context) {
      const active = context.get(ActiveTools);
      active.choose({ groups: [...groups, ...groupsAbout(active, groups)], tools });
      const { lines, data } = describeActive(active);
      return new Reply(lines.join("\n"), { data });
    },
  });
}

/** Returns the groups of the tools about tools that are active: without them a session could not switch anything on again. */
function groupsAbout(active: ToolList, chosen: readonly string[]): readonly string[] {
  const own = [...active.all()].filter(
    ({ tool, active: isActive }) => isActive && tool.group === ABOUT.group,
  );
  const groups = new Set(own.flatMap(({ group = [] }) => group));
  return [...groups].filter((group) => !chosen.includes(group));
}

/** The active tools of a session: lines by group for a model, and names for programs. */
interface ActiveDescription {
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

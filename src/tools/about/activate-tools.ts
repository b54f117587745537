import { builtIn, ABOUT, named } from "../shared/built-in-tool.ts";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { boolean, list, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import type { JsonObject } from "../../core/json.ts";

const input = object({
  groups: optional(list(string(), 'Names of groups, such as ["memory"]')),
  tools: optional(list(string(), 'Names of tools, such as ["delete_file"]')),
  replace: optional(
    boolean("Deactivates everything else, except tools that are always active and those about tools"),
    false,
  ),
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
      "Activates tools in this session, by name or by group, besides those that are active. Returns the tools that are active now.",
    ...ABOUT,
    effects: "own-state",
    check: ({ groups, tools }) =>
      groups === undefined && tools === undefined
        ? [{ kind: "missing", path: "/groups", expected: "groups, tools, or both", got: "neither" }]
        : [],
    attributes: ({ groups = [], tools = [], replace }) => ({
      groups: groups.join(" "),
      tools: tools.join(" "),
      ...(replace && { replace }),
    }),
    run({ groups = [], tools = [], replace }, context) {
      const active = context.get(ActiveTools);
      const about = replace ? groupsAbout(active, groups) : [];
      active.choose({ groups: [...groups, ...about], tools, replace });
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
  const partly = new Set<string>();
  for (const { tool, group = "no group", active: isActive } of active.all()) {
    if (isActive) byGroup.set(group, [...(byGroup.get(group) ?? []), tool.name]);
    else partly.add(group);
  }
  const lines = [...byGroup].map(([group, names]) => {
    const more = partly.has(group) ? ", …" : "";
    return `${group}: ${names.join(", ")}${more}`;
  });
  const off = groups.filter(({ name, active: isOn }) => !isOn && !byGroup.has(name)).map(({ name }) => name);
  const rest = off.length === 0 ? [] : [`[off: ${off.join(", ")}]`];
  return {
    lines: [...lines, ...rest],
    data: {
      tools: [...byGroup.values()].flat(),
      groups: groups.filter((one) => one.active).map((one) => one.name),
    },
  };
}

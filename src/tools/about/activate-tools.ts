import { ActiveTools } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { list, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { describeActive } from "./describe-active.ts";

const input = object({
  groups: optional(list(string("A group's name"), "Groups to activate")),
  tools: optional(list(string("A tool's name"), "Single tools to activate as well")),
});

/** Chooses which tools are active in the session. */
export function activateTools(): Tool {
  return defineTool({
    name: "activate_tools",
    description:
      "Sets the active tools of this session. Give the FINAL set: groups and tools that are not listed are deactivated, " +
      "except those that are always active. Returns the tools that are active now.",
    input,
    risk: "low",
    place: "host",
    source: "built-in",
    group: "about",
    effects: "own-state",
    check: ({ groups, tools }) =>
      groups === undefined && tools === undefined
        ? [{ kind: "missing", path: "/groups", expected: "groups, tools, or both", got: "neither" }]
        : [],
    attributes: ({ groups = [], tools = [] }) => ({ groups: groups.join(" "), tools: tools.join(" ") }),
    run({ groups = [], tools = [] }, context) {
      const active = context.get(ActiveTools);
      active.choose({ groups, tools });
      const { lines, data } = describeActive(active);
      return new Reply(lines.join("\n"), { data });
    },
  });
}

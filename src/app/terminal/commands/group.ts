import { ToolError } from "../../../core/errors.ts";
import type { ToolSpec } from "../../../core/spec.ts";
import type { Groups } from "../../../engine/types/registry.ts";
import { alignRows } from "../print/align-rows.ts";
import { visible } from "../../../util/text/visible.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { SlashCommand, SlashWorld } from "./slash-command.ts";

const USAGE = "/group NAME on|off";

export const groupCommand: SlashCommand = {
  name: "group",
  summary: "list the groups of tools, or switch one",
  usage: "[NAME on|off]",
  complete(args, world) {
    const words = args.trimStart().split(/\s+/);
    if (words.length > 1) return ["on", "off"];
    return groupsOf(world)
      .list()
      .map(({ name, description }) => ({ value: name, description, continues: true }));
  },
  async run(args, world) {
    const groups = groupsOf(world);
    const [name = "", state, ...rest] = args.trim().split(/\s+/);
    if (name === "") return world.print(listOf(groups, world));
    if ((state !== "on" && state !== "off") || rest.length > 0)
      throw new ToolError("INVALID_INPUT", `expected on or off: ${USAGE}`);
    if (!groups.has(name)) throw unknown(name, groups);
    if (state === "on") groups.activate(name);
    else groups.deactivate(name);
    return world.print(`${name} is ${state}\n`);
  },
};

function groupsOf({ engine, session }: Pick<SlashWorld, "engine" | "session">): Groups {
  return session === undefined ? engine.groups : engine.session(session).groups;
}

function listOf(groups: Groups, { engine, session }: Pick<SlashWorld, "engine" | "session">): string {
  const count = (specs: readonly ToolSpec[], name: string): number =>
    specs.filter(({ group }) => group === name).length;
  const [all, active] = [engine.list({ all: true }), engine.list(session === undefined ? {} : { session })];
  const rows = groups.list().map(({ name, active: isOn, locked, description }) => {
    const some = count(active, name);
    const partly = some === 0 ? "off" : `on for ${some} of ${count(all, name)}`;
    const state = `${isOn ? "on" : partly}${locked ? ", locked" : ""}`;
    return [name, state, visible(description).replaceAll("\n", " ")];
  });
  return alignRows(rows) || "there are no groups\n";
}

function unknown(name: string, groups: Groups): ToolError {
  const names = groups.list().map((group) => group.name);
  const listed = `groups: ${names.join(", ") || "none"}`;
  return unknownName(`there is no group ${JSON.stringify(name)}`, name, names, listed);
}

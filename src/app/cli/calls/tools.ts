import type { ToolSpec } from "../../../core/spec.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import type { Groups } from "../../../engine/types/registry.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { CONFIG_FLAGS, type Command } from "../../terminal/input/command.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { COUNTED_FOR, toolCounts } from "../../terminal/print/tool-counts.ts";
import { openTools } from "../../terminal/open-terminal-host.ts";
import { waitForTools } from "../../terminal/wait-for-tools.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { renderProblems } from "../../terminal/print/render-problems.ts";
import { visible } from "../../../util/text/visible.ts";
import { toProviderTools } from "../../../formats/to-provider-tools.ts";

export const tools: Command = {
  name: "tools",
  summary: "list the tools",
  usage: "[--json | --format FORMAT] [--group GROUP] [--all]\n--problems [--json]\n--reset",
  flags: {
    json: { summary: "print the full specs as a JSON array" },
    format: {
      summary: "print a JSON array in a provider's format",
      value: "FORMAT",
      choices: ["openai", "openai-responses", "anthropic", "google", "mcp"],
    },
    group: { summary: "list only the tools of this group", value: "GROUP" },
    all: { summary: "include tools whose group is off" },
    problems: { summary: "list what could not be loaded, and why" },
    reset: {
      summary: "undo `activate_tools` for this folder, and list the configured tools",
    },
    profile: CONFIG_FLAGS.profile,
  },
  examples: {
    tools: "name, group, risk and description of each active tool",
    "tools --format anthropic": "the `tools` array of a request to Anthropic",
    "tools --group files --json": "full specs of the file tools as JSON",
    "tools --problems": "programs, extensions and skills that failed to load, and why",
  },
  async run({ positionals, flags }, world) {
    refuseArguments(positionals, "toolwright tool NAME shows one tool");
    const { output, columns } = world;
    const resetsTools = flags["reset"] === true;
    await using assembly = await openTools(flags, world, { readsSession: true, resetsTools });
    const { engine, session } = assembly;
    await waitForTools(engine, world, flags["problems"] === true);
    const problems = await assembly.problems();
    const listed = engine.list({ session, all: flags["all"] === true });
    const { groups } = engine.session(session);
    if (flags["problems"] === true)
      return await output.print(renderProblems(problems, { isJson: flags["json"] === true }));
    const group = flags["group"] === undefined ? undefined : knownGroup(engine, String(flags["group"]));
    const groupSpecs = listed.filter((spec) => group === undefined || spec.group === group);
    await output.print(await render(groups, groupSpecs, flags, columns));
    if (columns !== undefined && flags["json"] !== true && flags["format"] === undefined) {
      const known = engine.list({ all: true }).length;
      output.log(`toolwright: ${toolCounts(known, engine.list({ session }).length, COUNTED_FOR)}`);
      output.log("toolwright: descriptions are cut at the width; toolwright tool NAME shows one");
    }
    if (columns !== undefined && problems.length > 0)
      output.log(`toolwright: problems: ${problems.length}, see toolwright tools --problems`);
  },
};

async function render(
  groups: Groups,
  specs: readonly ToolSpec[],
  flags: Readonly<Record<string, unknown>>,
  columns: number | undefined,
): Promise<string> {
  if (flags["format"] !== undefined) {
    const format = flags["format"] as Parameters<typeof toProviderTools>[1];
    return `${JSON.stringify(toProviderTools(specs, format))}\n`;
  }
  if (flags["json"] === true) return `${JSON.stringify(specs)}\n`;
  return alignRows(
    specs.map((spec) => [
      spec.name,
      groupText(groups, spec),
      spec.risk,
      visible(firstSentence(spec.description)),
    ]),
    columns,
  );
}

function groupText(groups: Groups, { group, name }: ToolSpec): string {
  if (group === undefined) return "-";
  return groups.isActive(group, name) ? group : `${group} (off)`;
}

function knownGroup({ groups }: Engine, name: string): string {
  if (groups.has(name)) return name;
  const names = groups.list().map((group) => group.name);
  throw unknownName(`unknown group "${name}"`, name, names, `groups: ${names.join(", ")}`);
}

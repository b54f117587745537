import { ToolError } from "../../../core/errors.ts";
import { alignRows } from "../print/align-rows.ts";
import { oneLine } from "../../../util/text/one-line.ts";
import { visible } from "../../../util/text/visible.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import { describeTool, toolPage } from "./tool-page.ts";
import type { SlashCommand, SlashWorld } from "./slash-command.ts";

export const toolCommand: SlashCommand = {
  name: "tool",
  summary: "list the tools, or show one with its schema",
  usage: "[NAME]",
  complete: (_args, { engine }) => engine.list({ all: true }).map(({ name }) => name),
  async run(args, world) {
    await world.engine.sources.settled();
    const name = args.trim();
    await world.print(name === "" ? listOf(world) : pageOf(name, world));
  },
};

function listOf({ engine, session }: SlashWorld): string {
  const specs = engine.list(session === undefined ? {} : { session });
  if (specs.length === 0) return "No tools available\n";
  return alignRows(specs.map(({ name, description }) => [name, visible(oneLine(description))]));
}

function pageOf(name: string, { engine }: SlashWorld): string {
  const found = engine.get(name);
  if (found === undefined)
    throw unknown(
      name,
      engine.list({ all: true }).map((spec) => spec.name),
    );
  const { input } = describeTool(engine, found);
  return `${toolPage(engine, found)}\nSchema:\n${visible(JSON.stringify(input, undefined, 2))}\n`;
}

function unknown(name: string, names: readonly string[]): ToolError {
  const near = nearNames(name, names);
  const guess = near.length === 0 ? "" : `did you mean ${near.join(" or ")}? `;
  return new ToolError("TOOL_NOT_FOUND", `no tool is named ${JSON.stringify(name)}`, {
    hint: `${guess}run /tool to see all of them`,
  });
}

import { ToolError } from "../../core/errors.ts";
import type { Engine } from "../../engine/engine.ts";
import { nearHint } from "../near-hint.ts";
import { describeTool, toolPage } from "../tool-page.ts";
import type { Command } from "./command.ts";
import { CONFIG_FLAGS } from "./command.ts";
import { openTools } from "./open-tools.ts";
import { findTool } from "./wait-for-tools.ts";

export const tool: Command = {
  name: "tool",
  summary: "show one tool: parameters, risk, place, source, aliases",
  usage: "NAME [--json]",
  positionals: ["tool"],
  flags: { json: { summary: "print the whole spec as JSON" }, profile: CONFIG_FLAGS.profile },
  examples: [
    { line: "tool read_file", does: "what it takes and how it is judged" },
    { line: "tool shell --json", does: "its JSON Schema, for a program" },
  ],
  async run({ positionals: [name, ...rest], flags }, world) {
    if (name === undefined || rest.length > 0) {
      throw new ToolError("INVALID_INPUT", "name one tool: toolwright tool NAME");
    }
    const assembly = await openTools(flags, world.output, { startsMcpLate: true });
    const { engine } = assembly;
    const found = await findTool(engine, name, world);
    await assembly.close();
    if (found === undefined) throw notFound(engine, name);
    await world.output.print(
      flags["json"] === true ? `${JSON.stringify(describeTool(engine, found))}\n` : toolPage(engine, found),
    );
    return 0;
  },
};

function notFound(engine: Engine, name: string): ToolError {
  const names = engine.list({ all: true }).map((spec) => spec.name);
  return new ToolError("TOOL_NOT_FOUND", `no tool is named "${name}"`, {
    hint: nearHint(name, names, "toolwright tools --all lists them"),
  });
}

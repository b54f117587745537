import { ToolError } from "../../../core/errors.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { describeTool, toolPage } from "../../terminal/commands/tool.ts";
import { CONFIG_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { onlyArgument, refuseFlags } from "../../terminal/input/check-arguments.ts";
import { openTools, findTool } from "../../terminal/open-terminal-host.ts";
import { runToolNew, TOOL_LANGUAGES } from "./tool-new.ts";
import { runToolCheck } from "../tool-check/command.ts";
import { refuseSessionTool } from "./refuse-session-tool.ts";

export const tool: Command = {
  name: "tool",
  summary: "show a tool, create one from a template, or check one",
  usage:
    "NAME [--json]\nnew NAME --lang LANGUAGE [--dir DIR | --user] [--force]\ncheck PATH [--args JSON] [--json]",
  positionals: ["tool"],
  actions: ["new", "check"],
  flags: {
    json: { summary: "print the full spec, or the check report, as JSON", for: ["NAME", "check"] },
    lang: { summary: "new: language of the tool", value: "LANGUAGE", choices: TOOL_LANGUAGES, for: ["new"] },
    dir: { summary: "new: folder to write to (default: .toolwright/tools)", value: "DIR", for: ["new"] },
    user: { summary: "new: write to ~/.toolwright/tools", for: ["new"] },
    force: { summary: "new: overwrite existing files", for: ["new"] },
    args: {
      summary: "check: input to call the tool with (default: it is never called)",
      value: "JSON",
      for: ["check"],
    },
    profile: CONFIG_FLAGS.profile,
  },
  examples: {
    "tool read_file": "its parameters, risk, source and aliases",
    "tool shell --json": "its full spec, with its JSON Schema",
    "tool new word_count --lang python": "write a working tool and its test",
    "tool check .toolwright/tools/word_count.py": "check it against the contract of external tools",
  },
  async run(given, world) {
    const [first, ...rest] = given.positionals;
    const action = first === "new" || first === "check" ? first : "NAME";
    refuseFlags(tool, given, action);
    if (action === "NAME") return show(given, world);
    return (action === "new" ? runToolNew : runToolCheck)({ ...given, positionals: rest }, world);
  },
};

async function show({ positionals, flags }: Arguments, world: World): Promise<void> {
  const name = onlyArgument(positionals, "tool name: toolwright tool NAME");
  await using assembly = await openTools(flags, world, { startsMcpLate: true });
  const { engine } = assembly;
  const namedTool = await findTool(engine, name, world);
  if (namedTool === undefined) {
    await refuseSessionTool(name, assembly.skills);
    throw notFound(engine, name);
  }
  await world.output.print(
    flags["json"] === true
      ? `${JSON.stringify(describeTool(engine, namedTool))}\n`
      : toolPage(engine, namedTool, world.columns),
  );
}

function notFound(engine: Engine, name: string): ToolError {
  const [absent] = engine.sources.problems(name);
  if (absent !== undefined) {
    const { subject, message, hint } = absent;
    return new ToolError("TOOL_NOT_FOUND", `"${name}" is not there: ${subject}: ${message}`, { hint });
  }
  const names = engine.list({ all: true }).map((spec) => spec.name);
  return new ToolError("TOOL_NOT_FOUND", `no tool is named "${name}"`, {
    hint: nearHint(name, names, "toolwright tools --all lists them"),
  });
}

import { ToolError } from "../../../core/errors.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { TOOL_LANGUAGES } from "../tool-new/write-tool.ts";
import { describeTool, toolPage } from "../../terminal/commands/tool-page.ts";
import type { Arguments, Command, World } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS } from "../../terminal/input/command.ts";
import { openTools } from "../../terminal/open-terminal-host.ts";
import { findTool } from "../../terminal/wait-for-tools.ts";
import { runToolNew } from "../tool-new/command.ts";
import { runToolCheck } from "../tool-check/command.ts";

/** Words that are no tool's name here, and the flags that go with each. */
const ACTIONS = {
  new: ["lang", "dir", "user", "force", "profile"],
  check: ["json", "args", "profile"],
} as const;
const SHOW_FLAGS = ["json", "profile"];

export const tool: Command = {
  name: "tool",
  summary: "show one tool: parameters, risk, place, source, aliases; or write and check a tool of your own",
  usage:
    "NAME [--json] | new NAME --lang LANGUAGE [--dir D | --user] [--force] | check PATH [--args JSON] [--json]",
  positionals: ["tool"],
  actions: Object.keys(ACTIONS),
  flags: {
    json: { summary: "print the whole spec, or the report of a check, as JSON" },
    lang: {
      summary: "new: the language to write it in",
      value: "LANGUAGE",
      choices: TOOL_LANGUAGES,
    },
    dir: { summary: "new: the folder to write it to instead of .toolwright/tools", value: "D" },
    user: { summary: "new: write it to the user's own tools, ~/.toolwright/tools" },
    force: { summary: "new: replace files that are there" },
    args: { summary: "check: an input to call it with, twice; left out: it is never called", value: "JSON" },
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "tool read_file", does: "what it takes and how it is judged" },
    { line: "tool shell --json", does: "its JSON Schema, for a program" },
    { line: "tool new word_count --lang python", does: "write a working tool with its test" },
    {
      line: "tool check .toolwright/tools/word_count.py",
      does: "does it keep the contract of external tools?",
    },
  ],
  async run(given, world) {
    const [word, ...rest] = given.positionals;
    if (word === "new") {
      refuseOthers(given, "tool new", ACTIONS.new);
      return runToolNew({ ...given, positionals: rest }, world);
    }
    if (word === "check") {
      refuseOthers(given, "tool check", ACTIONS.check);
      return runToolCheck({ ...given, positionals: rest }, world);
    }
    refuseOthers(given, "tool NAME", SHOW_FLAGS);
    return show(given, world);
  },
};

/** Throws on flags that would not be heeded. */
function refuseOthers({ flags }: Arguments, line: string, own: readonly string[]): void {
  const other = Object.keys(flags).find((flag) => !own.includes(flag));
  if (other === undefined) return;
  throw new ToolError("INVALID_INPUT", `--${other} means nothing to "${line}"`, {
    hint: "see toolwright tool --help",
  });
}

async function show({ positionals, flags }: Arguments, world: World): Promise<number> {
  const [name, ...rest] = positionals;
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
}

function notFound(engine: Engine, name: string): ToolError {
  const names = engine.list({ all: true }).map((spec) => spec.name);
  return new ToolError("TOOL_NOT_FOUND", `no tool is named "${name}"`, {
    hint: nearHint(name, names, "toolwright tools --all lists them"),
  });
}

import { ToolError } from "../../core/errors.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { promptText, readPromptArguments } from "../terminal/commands/prompt.ts";
import { refreshCommand } from "../terminal/commands/refresh.ts";
import { toSlashCommand, type SlashCommand } from "../terminal/commands/slash-command.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import { refuseArguments } from "../terminal/input/check-arguments.ts";
import { CONFIG_FLAGS, RUN_FLAGS, type Command } from "../terminal/input/command.ts";
import { openCalls, openTools } from "../terminal/open-terminal-host.ts";

/** The command `/tool` of the REPL as a command of the command line. */
export const slashTool = toCommand(toolCommand, ["tool"]);

/** The command `/refresh` of the REPL as a command of the command line. */
export const slashRefresh = toCommand(refreshCommand);

function toCommand(slash: SlashCommand, positionals: Command["positionals"] = []): Command {
  const { name, summary, usage } = slash;
  return {
    name: `/${name}`,
    summary: `${summary}, as in the REPL`,
    usage,
    positionals,
    flags: { profile: CONFIG_FLAGS.profile },
    examples: { [`/${name}`]: summary },
    async run({ positionals: given, flags }, world) {
      if (positionals.length === 0) refuseArguments(given);
      await using assembly = await openTools(flags, world);
      const { engine, session } = assembly;
      await slash.run(given.join(" "), { engine, session, print: (text) => world.output.print(text) });
    },
  };
}

/** Returns the command `/SERVER:PROMPT`, which starts only that MCP server. */
export function promptCommandOf(name: string): Command {
  return {
    name,
    summary: "a prompt of an MCP server",
    usage: "[key=value … | ARGUMENTS]",
    flags: { profile: CONFIG_FLAGS.profile },
    examples: {},
    async run({ positionals, flags }, world) {
      await using assembly = await openTools(flags, world, { startsMcpLate: true });
      const { mcp, engine } = assembly;
      const { signal } = new AbortController();
      if (mcp === undefined)
        throw new ToolError("INVALID_INPUT", `unknown command "${name}": no MCP servers are configured`, {
          hint: "run toolwright mcp add to add one",
        });
      const prompt = await mcp.findPrompt(name, signal);
      const messages = await mcp.prompt(name, readPromptArguments(prompt, positionals), signal);
      await world.output.print(promptText(messages, { engine }));
    },
  };
}

/** Returns the command `/NAME` of an extension, which is looked up when it runs. */
export function extensionCommand(name: string): Command {
  return {
    name,
    summary: "a command of an extension",
    usage: "[ARGUMENTS]",
    flags: RUN_FLAGS,
    examples: {},
    async run({ positionals, flags }, world) {
      await using calls = await openCalls(flags, world, { mayAsk: true });
      const { engine, session, signal, extensions } = calls;
      await extensions.ready();
      const commands = extensions.commands();
      const command = commands.get(name.slice(1));
      if (command === undefined) {
        const known = [...Object.keys(world.commands), ...Array.from(commands.keys(), (one) => `/${one}`)];
        const otherwise = "see toolwright --help and toolwright tools --problems";
        throw unknownName(`unknown command "${name}"`, name, known, otherwise);
      }
      const print = (text: string): Promise<void> => world.output.print(text);
      await toSlashCommand(command, { signal }).run(positionals.join(" "), { engine, session, print });
    },
  };
}

import { refreshCommand } from "../terminal/commands/refresh.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import { CONFIG_FLAGS, type Command } from "../terminal/input/command.ts";
import { openTools } from "../terminal/open-terminal-host.ts";
import { refuseArguments } from "../terminal/input/check-arguments.ts";

/** The command `/tool` of the REPL as a command of the command line. */
export const slashTool = toCommand(toolCommand, ["tool"]);

/** The command `/refresh` of the REPL as a command of the command line. */
export const slashRefresh = toCommand(refreshCommand, []);

function toCommand(slash: SlashCommand, positionals: Command["positionals"]): Command {
  const { name, summary, usage } = slash;
  return {
    name: `/${name}`,
    summary: `${summary}, as in the REPL`,
    usage,
    positionals,
    flags: { profile: CONFIG_FLAGS.profile },
    examples: [{ line: `/${name}`, does: summary }],
    async run({ positionals: given, flags }, world) {
      if (positionals.length === 0) refuseArguments(given);
      const assembly = await openTools(flags, world);
      const { engine, session } = assembly;
      try {
        await slash.run(given.join(" "), { engine, session, print: (text) => world.output.print(text) });
        return 0;
      } finally {
        await assembly.close();
      }
    },
  };
}

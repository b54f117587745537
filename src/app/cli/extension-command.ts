import { ToolError } from "../../core/errors.ts";
import { toSlashCommand } from "../terminal/commands/slash-command.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import { RUN_FLAGS, type Command } from "../terminal/input/command.ts";
import { openCalls } from "../terminal/open-terminal-host.ts";

/** Returns the command `/NAME` of an extension, which is looked up when it runs. */
export function extensionCommand(name: string): Command {
  return {
    name,
    summary: "a command of an extension",
    usage: "[ARGUMENTS]",
    positionals: [],
    flags: RUN_FLAGS,
    examples: [],
    async run({ positionals, flags }, world) {
      const { output, commands } = world;
      const calls = await openCalls(flags, world, { mayAsk: true });
      try {
        await calls.extensions.ready();
        const found = calls.extensions.commands();
        const command = found.get(name.slice(1));
        if (command === undefined) {
          const known = [...Object.keys(commands), ...[...found.keys()].map((one) => `/${one}`)];
          throw new ToolError("INVALID_INPUT", `unknown command "${name}"`, {
            hint: nearHint(name, known, "see toolwright --help and toolwright tools --problems"),
          });
        }
        const { engine, session, signal } = calls;
        await toSlashCommand(command, { signal }).run(positionals.join(" "), {
          engine,
          session,
          print: (text) => output.print(text),
        });
        return 0;
      } finally {
        await calls.close();
      }
    },
  };
}

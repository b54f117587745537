import { randomUUID } from "node:crypto";
import type { ExtensionCommand } from "../../../core/extension.ts";
import type { RunOptions } from "../../../engine/types/options.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Returns a command of an extension as a slash command. The calls it makes are judged like any others. */
export function toSlashCommand(
  command: ExtensionCommand,
  options: Pick<RunOptions, "signal" | "timeoutMs"> = {},
): SlashCommand {
  const { name, summary, usage = "" } = command;
  return {
    name,
    summary,
    usage,
    async run(args, world) {
      const { engine, session } = world;
      const ofSession = session === undefined ? {} : { session };
      const ofWorld = world.signal === undefined ? {} : { signal: world.signal };
      await command.run(args, {
        print: (text) => world.print(text),
        tools: () => engine.list(ofSession),
        run: (tool, input) =>
          engine.run({ id: randomUUID(), name: tool, input }, { ...options, ...ofSession, ...ofWorld }),
      });
    },
  };
}

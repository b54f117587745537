import { toSlashCommand } from "./commands/extension.ts";
import { groupCommand } from "./commands/group.ts";
import { refreshCommand } from "./commands/refresh.ts";
import type { SlashCommand } from "./commands/slash-command.ts";
import { toolCommand } from "./commands/tool.ts";
import type { OpenAssembly } from "./open-assembly.ts";

/** The slash commands of a conversation that come from outside the REPL, those of extensions among them. */
export function chatCommands({ assembly }: OpenAssembly): readonly SlashCommand[] {
  const ofExtensions = [...assembly.extensions.commands().values()].map((command) => toSlashCommand(command));
  return [toolCommand, refreshCommand, groupCommand, ...ofExtensions];
}

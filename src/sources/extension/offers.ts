import type { ExtensionCommand, ProviderFactory } from "../../core/extension.ts";
import type { Instance } from "./instance.ts";

/** The commands and providers of extensions, by name. Of two with the same name the first wins. */
export interface Offers {
  readonly commands: ReadonlyMap<string, ExtensionCommand>;
  readonly providers: ReadonlyMap<string, ProviderFactory>;
  readonly conflicts: readonly NameConflict[];
}

export interface NameConflict {
  readonly instance: Instance;
  readonly message: string;
}

export function offersOf(instances: readonly Instance[], takenCommands: readonly string[]): Offers {
  const commands = new Map<string, ExtensionCommand>();
  const providers = new Map<string, ProviderFactory>();
  const conflicts: NameConflict[] = [];
  for (const instance of instances) {
    for (const command of instance.commands) {
      if (commands.has(command.name) || takenCommands.includes(command.name))
        conflicts.push({ instance, message: `there is already a command /${command.name}` });
      else commands.set(command.name, command);
    }
    for (const [name, factory] of instance.providers) {
      if (providers.has(name)) conflicts.push({ instance, message: `there is already a provider "${name}"` });
      else providers.set(name, factory);
    }
  }
  return { commands, providers, conflicts };
}

import type { ExtensionCommand, ProviderFactory } from "../../core/extension.ts";
import type { Instance } from "./instance.ts";

/** What extensions offer by name to the program around the engine. Of two with one name the first holds. */
export interface Offers {
  readonly commands: ReadonlyMap<string, ExtensionCommand>;
  readonly providers: ReadonlyMap<string, ProviderFactory>;
  readonly clashes: readonly Clash[];
}

export interface Clash {
  readonly instance: Instance;
  readonly message: string;
}

export function offersOf(instances: readonly Instance[], takenCommands: readonly string[]): Offers {
  const commands = new Map<string, ExtensionCommand>();
  const providers = new Map<string, ProviderFactory>();
  const clashes: Clash[] = [];
  for (const instance of instances) {
    for (const command of instance.commands) {
      if (commands.has(command.name) || takenCommands.includes(command.name))
        clashes.push({ instance, message: `there is already a command /${command.name}` });
      else commands.set(command.name, command);
    }
    for (const [name, factory] of instance.providers) {
      if (providers.has(name)) clashes.push({ instance, message: `there is already a provider "${name}"` });
      else providers.set(name, factory);
    }
  }
  return { commands, providers, clashes };
}

import { loadBeside } from "../../../util/load-beside.ts";
import type { Commands } from "../../../shell/command-knowledge.ts";
import type * as reading from "./read-commands.ts";

/** How commands are read and what is known of programs; all of it is loaded by the first command. */
export function createPolicyCommands(userHome: string): Commands {
  let made: Commands | undefined;
  const commands = (): Commands => {
    made ??= (loadBeside(import.meta.url, "./read-commands") as typeof reading).createLoadedCommands(
      userHome,
    );
    return made;
  };
  return {
    knowledge: {
      describe: (command) => commands().knowledge.describe(command),
      flags: (program, words) => commands().knowledge.flags(program, words),
      disaster: (found, text) => commands().knowledge.disaster(found, text),
    },
    read: (fact) => commands().read(fact),
  };
}

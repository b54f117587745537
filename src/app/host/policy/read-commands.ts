import type { Commands } from "../../../shell/command-knowledge.ts";
import { flagsOf } from "../../../shell/programs/canonical-flags.ts";
import { findDisaster } from "../../../shell/programs/disasters/disasters.ts";
import { describeCommand } from "../../../shell/programs/judge-command.ts";
import { createCommandReader } from "../../../shell/reader.ts";

/** Both readers and the tables of programs; the parser is loaded by the first text that needs it. */
export function createLoadedCommands(userHome: string): Commands {
  const reader = createCommandReader({
    home: userHome,
    loadParser: async () => (await import("./load-shell-parser.ts")).loadShellParser(),
  });
  return {
    knowledge: { describe: describeCommand, flags: flagsOf, disaster: findDisaster },
    read: (fact) => reader.read(fact),
  };
}

import type { Commands } from "../policy/command-knowledge.ts";
import { flagsOf } from "../policy/command/programs/canonical-flags.ts";
import { findDisaster } from "../policy/command/programs/disasters.ts";
import { describeCommand } from "../policy/command/programs/judge-command.ts";
import { createCommandReader } from "../policy/command/reader.ts";

/** Both readers and the tables of programs; the parser is loaded by the first text that needs it. */
export function createLoadedCommands(userHome: string): Commands {
  const reader = createCommandReader({
    home: userHome,
    loadParser: async () => (await import("./shell-parser.ts")).loadShellParser(),
  });
  return {
    knowledge: { describe: describeCommand, flags: flagsOf, disaster: findDisaster },
    read: (fact) => reader.read(fact),
  };
}

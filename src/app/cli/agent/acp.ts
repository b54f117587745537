import { packageVersion } from "../../../system/package-files.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { BUDGET_FLAGS, TALK_FLAGS, readBudget } from "./task-flags.ts";

export const acp: Command = {
  name: "acp",
  summary: "serve the agent to an editor over standard input and output (Agent Client Protocol)",
  usage: "[--model PROVIDER/NAME] [--mode MODE]",
  notes: "An editor starts it: docs/editors.md has the settings of Zed, JetBrains IDEs and Neovim.",
  flags: {
    model: { summary: "model to use; see docs/models.md", value: "PROVIDER/NAME" },
    ...BUDGET_FLAGS,
    ...TALK_FLAGS,
  },
  examples: { "acp --mode edits": "let an editor's agent change files without approval" },
  async run(given, world) {
    refuseArguments(given.positionals, "editors send the folder and the messages over the protocol");
    const { stdin, output } = world;
    if (stdin.isTTY) output.log("toolwright: waiting for an editor on standard input: see docs/editors.md");
    using interrupt = world.interrupt();
    // Loaded on use: no other command needs the protocol.
    const { serveAcp } = await import("../../acp/serve-acp.ts");
    await serveAcp({
      stdin,
      write: (text) => output.print(text),
      log: output.log,
      flags: given.flags,
      environment: world.environment(),
      budget: readBudget(given),
      version: packageVersion(),
      signal: AbortSignal.any([interrupt.signal, output.closed]),
    });
  },
};

import { childEnvironment } from "../../../system/process/environment.ts";
import { packageVersion } from "../../../system/package-files.ts";
import { loadConfig } from "../../config/config.ts";
import type { Command } from "../../terminal/input/command.ts";
import { textFlag } from "../../terminal/input/check-arguments.ts";
import { PATTERN_FLAGS, readRuleLayer } from "./rule-patterns.ts";
import { BUDGET_FLAGS, MODEL_FLAG, TALK_FLAGS, readBudget, resumedSession } from "./task-flags.ts";
import { programsOf } from "./repl-programs.ts";
import { PLACE_FLAGS, readMcpServers, worldOf } from "./task-world.ts";
import { defined } from "../../../util/json/defined.ts";

export const chat: Command = {
  name: "chat",
  summary: "chat with an agent that uses the tools; from a pipe, each line is one message",
  usage: '["MESSAGE"] [--model PROVIDER/NAME] [--continue | --resume ID]',
  positionals: ["entry"],
  flags: {
    ...MODEL_FLAG,
    continue: { summary: "resume the last conversation in this folder", short: "c" },
    resume: {
      summary: "resume a stored conversation; without ID at the end of the line, choose one",
      value: "ID",
      short: "r",
      isOptional: true,
    },
    ...PATTERN_FLAGS,
    ...PLACE_FLAGS,
    ...BUDGET_FLAGS,
    ...TALK_FLAGS,
  },
  examples: {
    chat: "start a conversation with the configured model",
    'chat "What does this project do?"': "start a conversation with this message",
    "chat --mode plan": "explore and plan without changing anything",
    "chat --continue": "continue where you left off",
    "chat < questions.txt": "send each line as a message; answers are plain text",
  },
  async run(given, outer) {
    const world = worldOf(given, outer);
    const resume = resumedSession(given) || undefined;
    const isChosenThere = given.flags["resume"] === "";
    const message = isChosenThere ? "/resume" : given.positionals.join(" ").trim();
    const budget = readBudget(given);
    const untrusted = loadConfig(given.flags, world.environment());
    const [folder] = untrusted.paths.workspace;
    const mcpServers = readMcpServers(given, folder);
    const ruleLayer = await readRuleLayer(given, untrusted);
    const { variables } = untrusted.environment;
    const { NO_COLOR: noColour, TERM: kind, VISUAL: visual, EDITOR: editor } = variables;
    const { stdin, stdout, stderr } = world;
    // Loaded on use: no other command needs what draws the REPL.
    const { runRepl } = await import("../../repl/run-repl.ts");
    return runRepl({
      stdin,
      stdout,
      stderr,
      version: packageVersion(),
      folder,
      message,
      editor: visual || editor || "vi",
      notify: untrusted.notify,
      theme: untrusted.theme,
      vim: untrusted.vim,
      environment: childEnvironment(variables, ["VTE_VERSION", ...untrusted.environment.names]),
      isColoured: !noColour && kind !== "dumb",
      ...(stdout.isTTY && { colourDepth: stdout.getColorDepth(variables) }),
      isScreen: stdin.isTTY && stdout.isTTY && kind !== "dumb",
      async open(approver) {
        const { openSession } = await import("../../repl/open-session.ts");
        return openSession({
          flags: given.flags,
          config: untrusted,
          approver,
          budget,
          programs: programsOf(world, given.flags),
          asksAboutInstructions: stdin.isTTY && stdout.isTTY,
          asksAboutLevel: stdin.isTTY && stdout.isTTY && kind !== "dumb",
          ...defined({
            resume,
            mcpServers,
            ruleLayer,
            instructions: textFlag(given, "append-system-prompt"),
          }),
        });
      },
    });
  },
};

import { estimateMessage } from "../../../agent/context/estimate-tokens.ts";
import { visible } from "../../../util/text/visible.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { describeSpent, thousands } from "../state/describe-spent.ts";
import type { ReplSession } from "../state/session.ts";

/** What these commands can do besides printing. */
export interface AboutControl {
  readonly session: ReplSession;
  readonly switchTo: (session: ReplSession) => void;
  /** Adds a text for the model to the next message. */
  readonly note: (text: string) => void;
  /** Shows or hides the model's reasoning; returns whether it is shown now. */
  readonly showReasoning: (isShown: boolean | undefined) => boolean;
}

/** Returns the commands that report on the session or steer what is shown of it. */
export function aboutCommands(control: AboutControl): readonly SlashCommand[] {
  return [
    costCommand(control),
    contextCommand(control),
    statusCommand(control),
    undoCommand(control),
    tourCommand(control),
    initCommand(),
    reasoningCommand(control),
  ];
}

function costCommand({ session }: AboutControl): SlashCommand {
  return {
    name: "cost",
    summary: "show what the conversation has cost so far",
    usage: "",
    run: async (_args, world) => {
      const { agent, info } = session;
      const spent = agent.spent();
      const unknown = `the price of ${visible(info.model)} is not known: docs/models.md says how to set it\n`;
      await world.print(
        `${describeSpent(spent)}, ${spent.calls} calls, ${(spent.timeMs / 1000).toFixed(0)} s of work\n` +
          (spent.money === undefined ? unknown : ""),
      );
    },
  };
}

const ROLES = { user: "your messages", assistant: "answers of the model", tool: "results of calls" } as const;

/** Shows an estimate: providers count tokens differently. */
function contextCommand({ session }: AboutControl): SlashCommand {
  return {
    name: "context",
    summary: "show how much of the model's context window is used, and by what",
    usage: "",
    async run(_args, world) {
      const { agent, engine, info } = session;
      const tools = JSON.stringify(engine.specs("openai", { session: agent.session })).length / 4;
      const sizes = Object.entries(ROLES).map(([role, label]) => {
        const messages = agent.messages().filter((message) => message.role === role);
        return [label, messages.reduce((sum, message) => sum + estimateMessage(message), 0)] as const;
      });
      const given = info.instructions.map(({ path, text }) => [visible(path), text.length / 4] as const);
      const parts = [["tools", tools] as const, ...given, ...sizes];
      const free = info.window - parts.reduce((sum, [, size]) => sum + size, 0);
      const rows = [...parts, ["free", Math.max(0, free)] as const].map(([label, size]) => [
        label,
        `${thousands(Math.round(size))} tokens`,
        `${Math.round((100 * size) / info.window)} %`,
      ]);
      await world.print(
        `about ${thousands(info.window)} tokens fit\n${alignRows(rows)}/compact makes room, /clear starts anew\n`,
      );
    },
  };
}

function statusCommand({ session }: AboutControl): SlashCommand {
  return {
    name: "status",
    summary: "show the model, the mode, the folder, the tools and the conversation",
    usage: "",
    async run(_args, world) {
      const { agent, engine, info } = session;
      const loading = engine.sources.loading();
      const rows = [
        ["conversation", info.id],
        ["model", info.model],
        ["mode", info.mode],
        ["folder", info.workspace],
        [
          "tools",
          `${engine.list({ session: agent.session }).length} active, ${engine.list({ all: true }).length} known`,
        ],
        ...(loading.length === 0 ? [] : [["still loading", loading.join(", ")]]),
        ...engine.sources.problems().map(({ source, message }) => ["problem", `${source}: ${message}`]),
        ["background processes", String(info.background)],
        ["spent", describeSpent(agent.spent())],
      ];
      await world.print(alignRows(rows.map((row) => row.map(visible))));
    },
  };
}

function undoCommand({ session, note }: AboutControl): SlashCommand {
  return {
    name: "undo",
    summary: "undo the last call that changed files; never overwrites your own later changes",
    usage: "",
    async run(_args, world) {
      const { tool, paths: restored } = await session.undo();
      const paths = restored.join(", ");
      note(`The user undid the change of ${tool}: ${paths}`);
      await world.print(`undid ${visible(tool)}: ${visible(paths)}\n`);
    },
  };
}

function tourCommand({ session, switchTo }: AboutControl): SlashCommand {
  return {
    name: "tour",
    summary: "see one call run, one need your approval and one be denied; needs no model",
    usage: "",
    async run() {
      await session.tour(switchTo);
    },
  };
}

const INIT =
  "Look at this project and write AGENTS.md in its root, for agents that work here later: what the project is, the commands to build, " +
  "test and check it, where things are, and the conventions that the code follows. Keep it under 60 lines, and state only what you " +
  "have verified in the files. If AGENTS.md exists, improve it instead.";

function initCommand(): SlashCommand {
  return {
    name: "init",
    summary: "have the agent describe this project in AGENTS.md",
    usage: "",
    run: async (_args, world) => world.say?.(INIT),
  };
}

function reasoningCommand({ showReasoning }: AboutControl): SlashCommand {
  return {
    name: "reasoning",
    summary: "show or hide what the model thinks before it answers",
    usage: "[on|off]",
    complete: () => ["on", "off"],
    async run(args, world) {
      const isShown = showReasoning(args === "" ? undefined : args === "on");
      await world.print(`reasoning is ${isShown ? "shown" : "hidden"}\n`);
    },
  };
}

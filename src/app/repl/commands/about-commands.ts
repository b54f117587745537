import { toolCounts } from "../../terminal/print/tool-counts.ts";
import { visible } from "../../../util/text/visible.ts";
import { counted } from "../../../util/text/words.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { describeSpent } from "../state/describe-spent.ts";
import { describeContext } from "./describe-context.ts";
import type { ReplCommand } from "./repl-command.ts";

const INIT =
  "Look at this project and write AGENTS.md in its root, for agents that work here later: what the project is, the commands to build, " +
  "test and check it, where things are, and the conventions that the code follows. Keep it under 60 lines, and state only what you " +
  "have verified in the files. If AGENTS.md exists, improve it instead.";

/** The commands that report on the session or steer what is shown of it. */
export const ABOUT_COMMANDS: readonly ReplCommand[] = [
  {
    name: "cost",
    summary: "show what the conversation has cost so far",
    run({ session: { agent, info }, print }) {
      const spent = agent.spent();
      const setting = `toolwright config set models.${visible(info.model)}.price '{"input": 1, "output": 2}'`;
      const unknown = `the price of ${visible(info.model)} is not known; in USD for a million tokens: ${setting}\n`;
      return print(
        `${describeSpent(spent)}, ${counted(spent.calls, "call")}, ${(spent.timeMs / 1000).toFixed(0)} s of work\n` +
          (spent.money === undefined ? unknown : ""),
      );
    },
  },
  {
    name: "context",
    summary: "show how much of the model's context window is used, and by what",
    async run({ session: { agent, info }, print }) {
      return print(describeContext(await agent.context(), info.window));
    },
  },
  {
    name: "status",
    summary: "show the model, the mode and level, the folder, the tools and the conversation",
    run({ session: { agent, engine, info }, print }) {
      const loading = engine.sources.loading();
      const active = engine.list({ session: agent.session }).length;
      const rows = [
        ["conversation", info.id],
        ["model", info.model],
        ["mode", info.mode],
        ...(info.mode === "auto" || info.mode === "edits" ? [["level", info.level]] : []),
        ["folder", info.workspace],
        [
          "tools",
          `${toolCounts(engine.list({ all: true }).length, active, "this agent")}; it finds these with search_tools`,
        ],
        ...(loading.length === 0 ? [] : [["still loading", loading.join(", ")]]),
        ...engine.sources.problems().map(({ source, message }) => ["problem", `${source}: ${message}`]),
        ["background processes", String(info.background)],
        ["spent", describeSpent(agent.spent())],
      ];
      return print(alignRows(rows.map((row) => row.map(visible))));
    },
  },
  {
    name: "diff",
    summary: "show what calls of this chat have changed in files",
    run: async ({ session, print }) => print(visible(await session.changes.diff())),
  },
  {
    name: "undo",
    summary: "undo the last call that changed files; never overwrites your own later changes",
    async run({ session, note, print }) {
      const { tool, paths: restored } = await session.changes.undo();
      const paths = restored.join(", ");
      note(`The user undid the change of ${tool}: ${paths}`);
      await print(`undid ${visible(tool)}: ${visible(paths)}\n`);
    },
  },
  {
    name: "tour",
    summary: "see one call run, one need your approval and one be denied; needs no model",
    run: async ({ session, switchTo }) => void (await session.tour(switchTo)),
  },
  {
    name: "init",
    summary: "have the agent describe this project in AGENTS.md",
    run({ session, send }) {
      session.trustNextInstructions();
      send(INIT);
    },
  },
  {
    name: "reasoning",
    summary: "show or hide what the model thinks before it answers",
    usage: "[on|off]",
    complete: () => ["on", "off"],
    run({ showReasoning, print }, args) {
      const isShown = showReasoning(args === "" ? undefined : args === "on");
      return print(`reasoning is ${isShown ? "shown" : "hidden"}\n`);
    },
  },
];

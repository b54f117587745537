import { resolve } from "node:path";
import { LEVELS, MODES, type Mode } from "../../../core/policy.ts";
import type { FoundModel } from "../../../models/find-models.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { visible } from "../../../util/text/visible.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { writeNewFile } from "../../terminal/print/write-new-file.ts";
import { levelText, modesAndLevels } from "../../terminal/print/modes-and-levels.ts";
import { ABOUT_COMMANDS } from "./about-commands.ts";
import { CONVERSATION_COMMANDS, RESUME, SESSIONS } from "./conversation-commands.ts";
import { LOOK_COMMANDS } from "./look-commands.ts";
import { toSlashCommand, type ReplCommand, type ReplControl } from "./repl-command.ts";

const KEYS = [
  ["Enter", "send; Alt+Enter, Shift+Enter or a backslash at the end: a new line"],
  ["/, @", "a menu of commands or files; Up and Down choose, Tab accepts"],
  ["Tab", "complete a command, its arguments, or a path"],
  ["Up, Down", "a message that waits, back into the prompt; then earlier prompts"],
  ["Ctrl-R", "search earlier prompts"],
  ["Ctrl-G", "write the message in your editor"],
  ["@file, !command", "attach a file, its lines (@file:10-40) or a folder; run a command in the shell"],
  ["Ctrl-V", "attach the image in the clipboard"],
  ["Esc", "cancel, and take back messages that wait; at a question: no; twice: edit the last message"],
  ["Ctrl-C", "cancel; twice: leave"],
  ["Ctrl-D", "leave, at an empty prompt"],
  ["Ctrl-O", "print the whole question, or the answer of the last call; more or less of running calls"],
  ["Shift+Tab", "cycle through the modes auto, edits and plan"],
  ["Ctrl-T", "show or hide the todos"],
  ["Ctrl-L", "clear the screen"],
];
/** The longest usage that the list of all commands shows; completion shows a longer one. */
const MAX_USAGE = 22;
/** The most models that a list shows. */
const MAX_MODELS = 40;
const MARKS = { pending: "[ ]", completed: "[x]", in_progress: "[>]", cancelled: "[-]" } as const;

const COMMANDS: readonly ReplCommand[] = [
  {
    name: "help",
    summary: "every command and key",
    run({ commands, print }) {
      const all = commands();
      // Names that do the same share a row.
      const rows = all.flatMap(({ usage, summary }, index) => {
        const isSame = (one: SlashCommand): boolean => one.summary === summary && one.usage === usage;
        if (all.findIndex(isSame) < index) return [];
        const names = all.filter(isSame).map((one) => `/${one.name}`);
        return [
          [`${names.join(", ")} ${usage.length > MAX_USAGE ? "…" : usage}`.trimEnd(), visible(summary)],
        ];
      });
      return print(`${alignRows(rows)}\n${alignRows(KEYS)}`);
    },
  },
  {
    name: "mode",
    summary: "show or set the approval mode",
    usage: `[${MODES.join("|")}]`,
    complete: () => MODES,
    async run({ session, print }, args) {
      if (args === "") return print(modesAndLevels(session.info));
      const mode = MODES.find((one): one is Mode => one === args);
      if (mode === undefined)
        throw unknownName(`unknown mode ${JSON.stringify(args)}`, args, MODES, `modes: ${MODES.join(", ")}`);
      await session.setMode(mode);
      return print(`mode ${mode}\n`);
    },
  },
  {
    name: "level",
    summary: "show or set what commands may do without asking, also for later",
    usage: `[${LEVELS.join("|")}]`,
    complete: () => LEVELS.map((value) => ({ value, description: levelText(value) })),
    async run({ session, note, print }, args) {
      if (args === "") return print(modesAndLevels(session.info));
      const next = LEVELS.find((one) => one === args);
      if (next === undefined)
        throw unknownName(
          `unknown level ${JSON.stringify(args)}`,
          args,
          LEVELS,
          `levels: ${LEVELS.join(", ")}`,
        );
      const file = await session.setLevel(next);
      note(`The user set the level of commands: ${levelText(next)}`);
      return print(`${levelText(next)}; saved in ${visible(file)}\n`);
    },
  },
  {
    name: "model",
    summary: "list the models that can be used, or choose one, also for later",
    usage: "[PROVIDER/NAME or a part of it]",
    matchesAnywhere: true,
    complete: async ({ session }) => (await session.models()).map(({ id }) => id),
    async run({ session, print }, args) {
      const models = await session.models(args === "");
      const matching = models.filter(({ id }) => id.includes(args));
      const [only] = args === "" || matching.length > 1 ? [] : matching;
      const chosen = only?.id ?? (args.includes("/") ? args : undefined);
      if (chosen !== undefined) {
        const file = await session.setModel(chosen);
        return print(`model ${visible(session.info.model)}, saved in ${visible(file)}\n`);
      }
      return print(
        `model ${visible(session.info.model)}\n${matching.length === 0 ? noModels(args) : listOf(matching)}`,
      );
    },
  },
  {
    name: "todos",
    summary: "show the todo list",
    async run({ session, print }) {
      const todos = await session.todos();
      const lines = todos.map(({ content, status }) => `${MARKS[status]} ${visible(content)}\n`);
      return print(lines.join("") || "no todos\n");
    },
  },
  {
    name: "agents",
    summary: "list the agents of the team and their tasks",
    run({ session, print }) {
      const depths = new Map<string, number>();
      const rows = session.team().map(({ id, name, parentId, state, task }) => {
        const depth = parentId === undefined ? 0 : (depths.get(parentId) ?? 0) + 1;
        depths.set(id, depth);
        const indentedName = `${"  ".repeat(depth)}${visible(name)}`;
        return [indentedName, visible(id), state, visible(task).replaceAll("\n", " ")];
      });
      return print(alignRows(rows) || "this agent works alone\n");
    },
  },
  SESSIONS,
  RESUME,
  {
    name: "new",
    summary: "start a new conversation; this one stays stored",
    async run({ session, switchTo, print }) {
      const next = await session.newSession();
      await print(`new conversation; /resume ${visible(session.info.id)} returns to the last one\n`);
      switchTo(next);
    },
  },
  {
    name: "compact",
    summary: "compact the conversation for the model",
    async run({ session, signal, print }) {
      if (!(await session.agent.compact(signal))) await print("nothing to compact\n");
    },
  },
  {
    name: "export",
    summary: "write the conversation to a file: Markdown, or JSON if it ends in .json",
    usage: "[FILE]",
    async run({ session, print }, args) {
      const name = /^(["'])(.+)\1$/.exec(args)?.[2] ?? args;
      const file = resolve(session.info.workspace, name === "" ? `${session.info.id}.md` : name);
      const text = await session.exportAs(file.endsWith(".json") ? "json" : "markdown");
      await writeNewFile(file, text);
      await print(`written to ${visible(file)}\n`);
    },
  },
  {
    name: "clear",
    summary: "start a new conversation on an empty screen; this one stays stored",
    async run({ session, switchTo, clear }) {
      const next = await session.newSession();
      clear();
      switchTo(next);
    },
  },
  ...ABOUT_COMMANDS,
  ...CONVERSATION_COMMANDS,
  ...LOOK_COMMANDS,
  { name: "exit", summary: "leave", run: ({ leave }) => leave() },
  { name: "quit", summary: "leave", run: ({ leave }) => leave() },
];

/** Returns the commands that need the REPL; the session has the others. */
export function replCommands(control: ReplControl): readonly SlashCommand[] {
  return COMMANDS.map((command) => toSlashCommand(command, control));
}

function listOf(found: readonly FoundModel[]): string {
  const rows = found.slice(0, MAX_MODELS).map(({ id, where }) => [visible(id), visible(where)]);
  const more = found.length - rows.length;
  const rest = more > 0 ? `${more} more; /model and a part of the name shows them\n` : "";
  return `${alignRows(rows)}${rest}/model NAME chooses one\n`;
}

function noModels(part: string): string {
  if (part !== "")
    return `no model that can be used has ${JSON.stringify(part)} in its name; /model lists all\n`;
  return (
    "no key is set and no server runs: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY,\n" +
    "or start Ollama, LM Studio or llama.cpp; /tour needs no model\n"
  );
}

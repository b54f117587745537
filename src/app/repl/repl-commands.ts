import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { MODES, type Mode } from "../../core/policy.ts";
import { alignRows } from "../terminal/print/align-rows.ts";
import { visible } from "../../util/text/visible.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import type { FoundModel } from "../../models/found.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { aboutCommands, type AboutControl } from "./commands/about-commands.ts";

/** What the REPL's own commands can do. */
export interface ReplControl extends AboutControl {
  /** Returns all commands. */
  readonly commands: () => readonly SlashCommand[];
  /** Clears the screen. */
  readonly clear: () => void;
  readonly leave: () => void;
  /** Sends a message, as if it was typed. */
  readonly send: (text: string) => void;
}

/** Returns the commands that need the REPL; the session has the others. */
export function replCommands(control: ReplControl): readonly SlashCommand[] {
  return [
    helpCommand(control),
    modeCommand(control),
    modelCommand(control),
    todosCommand(control),
    agentsCommand(control),
    sessionsCommand(control),
    resumeCommand(control),
    newCommand(control),
    compactCommand(control),
    exportCommand(control),
    clearCommand(control),
    ...aboutCommands(control),
    simple("exit", "leave", control.leave),
    simple("quit", "leave", control.leave),
  ];
}

function simple(name: string, summary: string, work: () => void): SlashCommand {
  return { name, summary, usage: "", run: async () => work() };
}

/** The longest usage that the list of all commands shows. */
const MAX_USAGE = 22;

function helpCommand({ commands }: ReplControl): SlashCommand {
  const keys = [
    ["Enter", "send; Alt+Enter, Shift+Enter or a backslash at the end: a new line"],
    ["/, @", "a menu of commands or files; Up and Down choose, Tab accepts"],
    ["Tab", "complete a command, its arguments, or a path"],
    ["Up, Down", "earlier prompts"],
    ["Ctrl-R", "search earlier prompts"],
    ["Ctrl-G", "write the message in your editor"],
    ["@file, !command", "attach a file; run a command in the shell"],
    ["Esc", "cancel; at a question: no; twice: edit the last message"],
    ["Ctrl-C", "cancel; twice: leave"],
    ["Ctrl-D", "leave, at an empty prompt"],
    ["Ctrl-O", "print the whole question, or the answer of the last call; more or less of running calls"],
    ["Shift+Tab", "turn the mode: auto, edits, plan"],
    ["Ctrl-T", "show or hide the todos"],
    ["Ctrl-L", "clear the screen"],
  ];
  return {
    name: "help",
    summary: "every command and key",
    usage: "",
    async run(_args, world) {
      // Completion shows a longer usage.
      const rows = commands().map(({ name, usage, summary }) => [
        `/${name} ${usage.length > MAX_USAGE ? "…" : usage}`.trimEnd(),
        visible(summary),
      ]);
      await world.print(`${alignRows(rows)}\n${alignRows(keys)}`);
    },
  };
}

function modeCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "mode",
    summary: "show or set the approval mode",
    usage: `[${MODES.join("|")}]`,
    complete: () => MODES,
    async run(args, world) {
      if (args === "") return world.print(`mode ${session.info.mode}\n`);
      const mode = MODES.find((one): one is Mode => one === args);
      if (mode === undefined) {
        throw unknownName(`unknown mode ${JSON.stringify(args)}`, args, MODES, `modes: ${MODES.join(", ")}`);
      }
      await session.setMode(mode);
      return world.print(`mode ${mode}\n`);
    },
  };
}

/** The most models that a list shows. */
const MAX_MODELS = 40;

function modelCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "model",
    summary: "list the models that can be used, or choose one, also for later",
    usage: "[PROVIDER/NAME or a part of it]",
    matchesAnywhere: true,
    complete: async () => (await session.models()).map(({ id }) => id),
    async run(args, world) {
      const found = await session.models(args === "");
      const matching = found.filter(({ id }) => id.includes(args));
      const [only] = args === "" || matching.length > 1 ? [] : matching;
      const chosen = only?.id ?? (args.includes("/") ? args : undefined);
      if (chosen !== undefined) {
        const file = await session.setModel(chosen);
        return world.print(`model ${visible(session.info.model)}, saved in ${visible(file)}\n`);
      }
      return world.print(
        `model ${visible(session.info.model)}\n${matching.length === 0 ? noModels(args) : listOf(matching)}`,
      );
    },
  };
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

const MARKS: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]", cancelled: "[-]" };

function todosCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "todos",
    summary: "show the todo list",
    usage: "",
    async run(_args, world) {
      const todos = await session.todos();
      if (todos.length === 0) return world.print("no todos\n");
      return world.print(
        todos.map(({ text, status }) => `${MARKS[status] ?? "[ ]"} ${visible(text)}\n`).join(""),
      );
    },
  };
}

function agentsCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "agents",
    summary: "list the agents of the team and their tasks",
    usage: "",
    async run(_args, world) {
      const members = session.team();
      if (members.length === 0) return world.print("this agent works alone\n");
      const depths = new Map<string, number>();
      const rows = members.map(({ id, name, parentId, state, task }) => {
        const depth = parentId === undefined ? 0 : (depths.get(parentId) ?? 0) + 1;
        depths.set(id, depth);
        const shown = `${"  ".repeat(depth)}${visible(name)}`;
        return [shown, visible(id), state, visible(task).replaceAll("\n", " ")];
      });
      return world.print(alignRows(rows));
    },
  };
}

function sessionsCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "sessions",
    summary: "list the stored conversations of this folder, last used first",
    usage: "",
    async run(_args, world) {
      const sessions = await session.sessions();
      if (sessions.length === 0) return world.print("no conversation is stored\n");
      const rows = sessions.map(({ id, updatedAt, turns, title }) => [
        visible(id) + (id === session.info.id ? " *" : ""),
        new Date(updatedAt).toISOString().replace("T", " ").slice(0, 16),
        `${turns} turns`,
        visible(title).replaceAll("\n", " "),
      ]);
      return world.print(alignRows(rows));
    },
  };
}

function resumeCommand({ session, switchTo }: ReplControl): SlashCommand {
  return {
    name: "resume",
    summary: "resume a stored conversation",
    usage: "ID",
    complete: async () => (await session.sessions()).map(({ id }) => id),
    async run(args, world) {
      const known = (await session.sessions()).map(({ id }) => id);
      if (!known.includes(args)) {
        const what = args === "" ? "missing conversation id" : `unknown conversation ${JSON.stringify(args)}`;
        throw unknownName(what, args, known, "/sessions lists them");
      }
      if (args === session.info.id) return world.print("this is the current conversation\n");
      switchTo(await session.resume(args));
      return undefined;
    },
  };
}

function newCommand({ session, switchTo }: ReplControl): SlashCommand {
  return {
    name: "new",
    summary: "start a new conversation; this one stays stored",
    usage: "",
    async run(_args, world) {
      const next = await session.newSession();
      await world.print(`new conversation; /resume ${visible(session.info.id)} returns to the last one\n`);
      switchTo(next);
    },
  };
}

function clearCommand({ session, switchTo, clear }: ReplControl): SlashCommand {
  return {
    name: "clear",
    summary: "start a new conversation on an empty screen; this one stays stored",
    usage: "",
    async run() {
      const next = await session.newSession();
      clear();
      switchTo(next);
    },
  };
}

function compactCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "compact",
    summary: "compact the conversation for the model",
    usage: "",
    async run(_args, world) {
      const isShorter = await session.agent.compact(world.signal);
      if (!isShorter) await world.print("nothing to compact\n");
    },
  };
}

function exportCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "export",
    summary: "write the conversation to a file: Markdown, or JSON if it ends in .json",
    usage: "[FILE]",
    async run(args, world) {
      const file = resolve(session.info.workspace, args === "" ? `${session.info.id}.md` : args);
      const text = await session.exportAs(file.endsWith(".json") ? "json" : "markdown");
      try {
        await writeFile(file, text, { flag: "wx", mode: 0o600 });
      } catch (error) {
        throw new ToolError("TOOL_FAILED", `cannot write ${file}: ${(error as Error).message}`, {
          hint: "existing files are not overwritten",
          cause: error,
        });
      }
      await world.print(`written to ${visible(file)}\n`);
    },
  };
}

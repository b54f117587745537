import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Mode } from "../../core/policy.ts";
import { MODES } from "../../core/policy.ts";
import { alignRows } from "../terminal/print/align-rows.ts";
import { visible } from "../../util/text/visible.ts";
import type { SlashCommand } from "../terminal/commands/slash-command.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import type { ReplSession } from "./state/session.ts";

/** What the commands of the REPL itself may do to it. */
export interface ReplControl {
  readonly session: ReplSession;
  /** Every command there is. */
  readonly commands: () => readonly SlashCommand[];
  readonly switchTo: (session: ReplSession) => void;
  /** Forgets what is on the screen. */
  readonly clear: () => void;
  readonly leave: () => void;
  /** Sends a message as if it had been typed. */
  readonly send: (text: string) => void;
}

/** The commands that need the REPL; all others come with the session. */
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
    simple("clear", "clear the screen; the conversation stays", control.clear),
    simple("exit", "leave", control.leave),
    simple("quit", "leave", control.leave),
  ];
}

function simple(name: string, summary: string, work: () => void): SlashCommand {
  return { name, summary, usage: "", run: async () => work() };
}

/** How much of what stands behind a name the list of all commands has room for. */
const MAX_USAGE = 22;

function helpCommand({ commands }: ReplControl): SlashCommand {
  const keys = [
    ["Enter", "send; Alt+Enter, Shift+Enter or a backslash at the end: a new line"],
    ["Tab", "complete a command, its arguments, or a path behind @"],
    ["Up, Down", "what was typed before"],
    ["Ctrl-C", "cancel what runs; twice: leave"],
    ["Ctrl-D", "leave, at an empty prompt"],
    ["Ctrl-O", "show more or less of what calls print"],
    ["Ctrl-T", "show or hide the things to do"],
    ["Ctrl-L", "clear the screen"],
  ];
  return {
    name: "help",
    summary: "every command and key",
    usage: "",
    async run(_args, world) {
      // What is longer than the screen has room for is told by completion.
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
    summary: "how much runs unasked: show or set it",
    usage: `[${MODES.join("|")}]`,
    complete: () => MODES,
    async run(args, world) {
      if (args === "") return world.print(`mode ${session.info.mode}\n`);
      const mode = MODES.find((one): one is Mode => one === args);
      if (mode === undefined) {
        throw new ToolError("INVALID_INPUT", `there is no mode ${JSON.stringify(args)}`, {
          hint: nearHint(args, MODES, `modes: ${MODES.join(", ")}`),
        });
      }
      await session.setMode(mode);
      return world.print(`mode ${mode}\n`);
    },
  };
}

function modelCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "model",
    summary: "which model answers: show or change it",
    usage: "[PROVIDER/NAME]",
    async run(args, world) {
      if (args !== "") await session.setModel(args);
      await world.print(`model ${visible(session.info.model)}\n`);
    },
  };
}

const MARKS: Readonly<Record<string, string>> = { completed: "[x]", in_progress: "[>]", cancelled: "[-]" };

function todosCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "todos",
    summary: "what is to be done",
    usage: "",
    async run(_args, world) {
      const todos = await session.todos();
      if (todos.length === 0) return world.print("nothing is to be done\n");
      return world.print(
        todos.map(({ text, status }) => `${MARKS[status] ?? "[ ]"} ${visible(text)}\n`).join(""),
      );
    },
  };
}

function agentsCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "agents",
    summary: "the agents that work together, and what each is doing",
    usage: "",
    async run(_args, world) {
      const members = session.team();
      if (members.length === 0) return world.print("this agent works alone\n");
      const depths = new Map<string, number>();
      const rows = members.map(({ id, name, parentId, state, task }) => {
        const depth = parentId === undefined ? 0 : (depths.get(parentId) ?? 0) + 1;
        depths.set(id, depth);
        return [
          `${"  ".repeat(depth)}${visible(name)}`,
          visible(id),
          state,
          visible(task).replaceAll("\n", " "),
        ];
      });
      return world.print(alignRows(rows));
    },
  };
}

function sessionsCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "sessions",
    summary: "the kept conversations of this folder, the last used first",
    usage: "",
    async run(_args, world) {
      const sessions = await session.sessions();
      if (sessions.length === 0) return world.print("no conversation is kept\n");
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
    summary: "go on with a kept conversation",
    usage: "ID",
    complete: async () => (await session.sessions()).map(({ id }) => id),
    async run(args, world) {
      const known = (await session.sessions()).map(({ id }) => id);
      if (!known.includes(args)) {
        throw new ToolError(
          "INVALID_INPUT",
          args === "" ? "name the conversation" : `no conversation ${JSON.stringify(args)} is kept`,
          {
            hint: nearHint(args, known, "/sessions lists them"),
          },
        );
      }
      if (args === session.info.id) return world.print("you are in it\n");
      switchTo(await session.resume(args));
      return undefined;
    },
  };
}

function newCommand({ session, switchTo }: ReplControl): SlashCommand {
  return {
    name: "new",
    summary: "begin a new conversation; this one stays kept",
    usage: "",
    async run(_args, world) {
      const next = await session.newSession();
      await world.print(
        `a new conversation; /resume ${visible(session.info.id)} goes on with the last one\n`,
      );
      switchTo(next);
    },
  };
}

function compactCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "compact",
    summary: "make the conversation shorter for the model",
    usage: "",
    async run(_args, world) {
      const isShorter = await session.agent.compact(world.signal);
      if (!isShorter) await world.print("there is nothing to leave out\n");
    },
  };
}

function exportCommand({ session }: ReplControl): SlashCommand {
  return {
    name: "export",
    summary: "write the conversation to a file: Markdown, or JSON where it ends in .json",
    usage: "[FILE]",
    async run(args, world) {
      const file = resolve(session.info.workspace, args === "" ? `${session.info.id}.md` : args);
      const text = await session.exportAs(file.endsWith(".json") ? "json" : "markdown");
      try {
        await writeFile(file, text, { flag: "wx", mode: 0o600 });
      } catch (error) {
        throw new ToolError("TOOL_FAILED", `${file} cannot be written: ${(error as Error).message}`, {
          hint: "a file that is there is not replaced",
          cause: error,
        });
      }
      await world.print(`written to ${visible(file)}\n`);
    },
  };
}

import { ToolError } from "../../../core/errors.ts";
import type { SessionInfo } from "../../../agent/sessions/transcript.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { textOf } from "../../../util/text/text-of.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { counted } from "../../../util/text/words.ts";
import { visible, visibleLine } from "../../../util/text/visible.ts";
import type { Choice } from "../../terminal/commands/slash-command.ts";
import { alignRows, timeOf } from "../../terminal/print/align-rows.ts";
import type { ReplSession } from "../state/session.ts";
import type { ReplCommand } from "./repl-command.ts";

/** A stop ends a process that ignores TERM after this time. */
const STOP_MS = 2000;
/** The end of the output that /ps shows. */
const MAX_OUTPUT = 4000;

export const SESSIONS: ReplCommand = {
  name: "sessions",
  summary: "list the stored conversations of this folder, last used first",
  async run({ session, print }) {
    const rows = (await conversationsOf(session)).map(({ id, updatedAt, turns, title }) => [
      visible(id) + (id === session.info.id ? " *" : ""),
      timeOf(updatedAt).slice(0, 16),
      counted(turns, "turn"),
      visibleLine(title),
    ]);
    return print(alignRows(rows) || "no conversation is stored\n");
  },
};

export const RESUME: ReplCommand = {
  name: "resume",
  summary: "choose a stored conversation by its title, and continue it",
  usage: "[ID]",
  matchesAnywhere: true,
  complete: async ({ session }) => choicesOf(await othersOf(session)),
  async run({ session, switchTo, print, offer }, args) {
    if (args === "" && offer !== undefined) {
      const others = await othersOf(session);
      return others.length === 0 ? print("no other conversation is stored\n") : offer("/resume ");
    }
    const known = (await session.sessions()).map(({ id }) => id);
    if (!known.includes(args)) {
      const what = args === "" ? "missing conversation id" : `unknown conversation ${JSON.stringify(args)}`;
      throw unknownName(what, args, known, "/sessions lists them");
    }
    if (args === session.info.id) return print("this is the current conversation\n");
    return switchTo(await session.resume(args));
  },
};

/** Returns the conversations of a person, without those of sub-agents and those without a message. */
async function conversationsOf(session: ReplSession): Promise<readonly SessionInfo[]> {
  return (await session.sessions()).filter(
    ({ agent, title }) => agent.parentId === undefined && title !== "",
  );
}

/** Returns the conversations that can be resumed: all but the one that is open. */
async function othersOf(session: ReplSession): Promise<readonly SessionInfo[]> {
  return (await conversationsOf(session)).filter(({ id }) => id !== session.info.id);
}

/** The title comes first, and leaves room for the rest on a terminal of 80 columns. */
function choicesOf(conversations: readonly SessionInfo[]): readonly Choice[] {
  const rows = conversations.map(({ updatedAt, turns, title }) => [
    shortened(visibleLine(title), MAX_TITLE),
    timeOf(updatedAt).slice(0, 16),
    counted(turns, "turn"),
  ]);
  const labels = alignRows(rows).split("\n");
  return conversations.map(({ id, title }, index) => ({
    value: id,
    label: labels[index] ?? id,
    description: visibleLine(title),
  }));
}

/** The most characters of a title in the menu. */
const MAX_TITLE = 44;

/** The commands that change what the conversation has, or take something out of it. */
export const CONVERSATION_COMMANDS: readonly ReplCommand[] = [
  {
    name: "ps",
    summary: "list background processes, show the output of one, or stop it",
    usage: "[ID | stop ID]",
    complete: ({ session }) =>
      session.processes().map(({ id, command }) => ({ value: id, description: visibleLine(command) })),
    async run({ session, print }, args) {
      const processes = session.processes();
      const [word = "", id = word] = args.split(/\s+/);
      if (word === "") return print(processesPage(processes));
      const namedProcess = processes.find((one) => one.id === (word === "stop" ? id : word));
      if (namedProcess === undefined)
        throw unknownName(
          `unknown process ${JSON.stringify(word === "stop" ? id : word)}`,
          id,
          processes.map((one) => one.id),
          "/ps lists them",
        );
      if (word !== "stop") return print(`${visible(outputOf(namedProcess))}\n`);
      await namedProcess.process.stop(STOP_MS);
      return print(`stopped ${visible(namedProcess.id)}\n`);
    },
  },
  {
    name: "copy",
    summary: "copy the last answer, or its last block of code, to the clipboard",
    usage: "[code]",
    complete: () => ["code"],
    run({ session, copy, print }, args) {
      const answer = session.agent.messages().findLast((message) => message.role === "assistant");
      const text = answer?.role === "assistant" ? textOf(answer.parts, "").trim() : "";
      const code = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].at(-1)?.[1];
      const chosen = args === "code" ? code : text;
      if (chosen === undefined || chosen === "")
        throw new ToolError(
          "UNAVAILABLE",
          args === "code" ? "the last answer has no code" : "there is no answer yet",
        );
      if (copy === undefined) throw new ToolError("UNAVAILABLE", "only a terminal has a clipboard");
      copy(chosen);
      return print(`copied ${counted(chosen.length, "character")}; the terminal must allow OSC 52\n`);
    },
  },
  {
    name: "retry",
    summary: "send your last message again, in a conversation without its answer",
    async run({ session, switchTo, send }) {
      const { session: before, text } = await session.rewind();
      switchTo(before);
      send(text);
    },
  },
  {
    name: "rewind",
    summary: "list your messages, or return to before one of them; files stay as they are",
    usage: "[N]",
    complete: async ({ session }) =>
      (await session.prompts()).map((text, index) => ({
        value: String(index + 1),
        description: visibleLine(text),
      })),
    async run({ session, switchTo, print, offer }, args) {
      const prompts = await session.prompts();
      if (args === "") {
        if (prompts.length > 0 && offer !== undefined) return offer("/rewind ");
        const rows = prompts.map((text, index) => [String(index + 1), visibleLine(text)]);
        return print(alignRows(rows) || "there is no message yet\n");
      }
      const number = /^\d+$/.test(args) ? Number(args) : 0;
      if (number < 1 || number > prompts.length)
        throw new ToolError("INVALID_INPUT", `there is no message ${JSON.stringify(args)}`, {
          hint: "/rewind lists them",
        });
      const { session: before, text } = await session.rewind(number);
      switchTo(before);
      await print(`back before message ${number}; /undo takes back changes of calls\n`);
      offer?.(text);
    },
  },
  {
    name: "rename",
    summary: "give this conversation a title, by which /resume lists it",
    usage: "TITLE",
    async run({ session, print }, args) {
      await session.rename(args);
      return print(`this conversation is now ${JSON.stringify(visibleLine(args))}\n`);
    },
  },
  {
    name: "fork",
    summary: "continue in a copy of this conversation; this one stays as it is",
    async run({ session, switchTo, print }) {
      const { id } = session.info;
      const copy = await session.fork();
      switchTo(copy);
      await print(`this is a copy; /resume ${visible(id)} returns to the other one\n`);
    },
  },
  {
    name: "plan",
    summary: "explore and plan without changing anything: mode plan, with a task if you give one",
    usage: "[TASK]",
    async run({ session, send, print }, args) {
      await session.setMode("plan");
      if (args !== "") return send(args);
      return print("mode plan; Shift+Tab or /mode leaves it\n");
    },
  },
  {
    name: "review",
    summary: "have the agent review the changes of the working tree, or what you name",
    usage: "[WHAT]",
    run({ send }, args) {
      const what =
        args === "" ? "the uncommitted changes of this folder (git diff HEAD, and new files)" : args;
      return send(
        `Review ${what}. Read the code around each change. List what is wrong or risky, the most important first, each with its ` +
          "file and line and why; then what is missing, such as a test. Change nothing.",
      );
    },
  },
];

function processesPage(processes: ReturnType<ReplSession["processes"]>): string {
  const rows = processes.map(({ id, command, process: started }) => {
    const end = started.end();
    const state =
      end === undefined ? "running" : `ended${end.exitCode === null ? "" : `, exit code ${end.exitCode}`}`;
    return [visible(id), state, timeOf(started.startedAt).slice(11, 19), visibleLine(command)];
  });
  if (rows.length === 0) return "no background processes\n";
  return `${alignRows(rows)}/ps ID shows the output, /ps stop ID ends one\n`;
}

function outputOf({ process: started }: ReturnType<ReplSession["processes"]>[number]): string {
  const text = started.output().all.text;
  return text === "" ? "no output yet" : text.slice(-MAX_OUTPUT).trimEnd();
}

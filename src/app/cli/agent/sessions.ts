import { resolve } from "node:path";
import { conversationOf } from "../../../agent/sessions/conversation-of.ts";
import { createConfigMasker } from "../../config/config-masker.ts";
import type { Masker } from "../../../secrets/mask.ts";
import { exportJson, exportMarkdown, maskSession } from "../../../agent/sessions/export.ts";
import type { Entry, SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import type { Message } from "../../../core/agent/message.ts";
import { defined } from "../../../util/json/defined.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { visible, visibleJson, visibleLine } from "../../../util/text/visible.ts";
import { findSession, shortIds, withTranscripts } from "../../host/store/find-session.ts";
import {
  numberFlag,
  onlyArgument,
  refuseArguments,
  takeAction,
} from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { loadSettings, loadStoreSettings } from "../../terminal/input/load-settings.ts";
import { alignRows, timeOf } from "../../terminal/print/align-rows.ts";
import { describeFault } from "../../terminal/print/describe-fault.ts";
import { writeNewFile } from "../../terminal/print/write-new-file.ts";
import { counted } from "../../../util/text/words.ts";

const ACTIONS = ["list", "show", "export", "fork", "delete"] as const;

export const sessions: Command = {
  name: "sessions",
  summary: "list, show, export, fork or delete stored sessions",
  usage:
    "[list] [--all] [--json]\nshow ID [--json]\nexport ID [--format FORMAT] [--output FILE]\nfork ID [--at N] [--json]\ndelete ID",
  positionals: ["action", "session"],
  actions: ACTIONS,
  flags: {
    all: { summary: "list: include the sessions of other workspaces", for: ["list"] },
    json: { summary: "list, show, fork: print as JSON", for: ["list", "show", "fork"] },
    format: {
      summary: "export: format (default: json)",
      value: "FORMAT",
      choices: ["json", "markdown"],
      for: ["export"],
    },
    output: { summary: "export: write to this file, which must not exist", value: "FILE", for: ["export"] },
    at: { summary: "fork: copy the entries up to number N (default: all)", value: "N", for: ["fork"] },
    ...STORED_FLAGS,
  },
  examples: {
    sessions: "the sessions of this workspace, last used first",
    "sessions show 1f0c22ab": "its entries, one per line; a unique prefix of the id is enough",
    "sessions export 1f0c22ab --format markdown --output talk.md": "save it as Markdown",
    "sessions fork 1f0c22ab --at 12": "start a new session with the first 12 entries",
  },
  async run(given, world) {
    const { action, rest } = takeAction(sessions, given, ACTIONS, "list");
    // What is printed is masked, also secrets that the settings name. A list has titles only, and must work while they cannot be read.
    const isStored = action === "delete" || action === "list";
    const config = (isStored ? loadStoreSettings : loadSettings)(given.flags, world);
    if (action === "list") refuseArguments(rest);
    const id = action === "list" ? "" : onlyArgument(rest, `session id: toolwright sessions ${action} ID`);
    const masker = createConfigMasker(config.environment);
    const scope = { workspace: config.paths.workspace[0], masker, given, world };
    await withTranscripts(config, async (transcripts) => {
      if (action === "list") return list(transcripts, scope);
      if (action === "delete") return remove(transcripts, id, world);
      return ON_ONE[action](transcripts, await findSession(transcripts, id), scope);
    });
  },
};

interface Asked {
  readonly workspace: string;
  readonly masker: Masker;
  readonly given: Arguments;
  readonly world: World;
}

async function list(transcripts: Transcripts, { workspace, given, world, masker }: Asked): Promise<void> {
  const isAll = given.flags["all"] === true;
  const all = (await transcripts.list()).map((info) => ({ ...info, title: masker.text(info.title) }));
  const sessionsHere = isAll ? all : all.filter((one) => one.workspace === workspace);
  if (given.flags["json"] === true) return printJson(sessionsHere, world);
  if (sessionsHere.length > 0)
    return world.output.print(alignRows(rowsOf(sessionsHere, all, isAll), world.columns));
  return world.output.print(
    isAll ? "no sessions are stored\n" : "no sessions are stored for this workspace\n",
  );
}

/** Shortens the ids so that they stay unique among the sessions of all workspaces. */
function rowsOf(
  found: readonly SessionInfo[],
  all: readonly SessionInfo[],
  isAll: boolean,
): readonly (readonly string[])[] {
  const ids = all.map(({ id }) => id);
  const shortById = new Map(shortIds(ids).map((short, index) => [ids[index], short]));
  return found.map(({ id, updatedAt, state, turns, workspace, title }) => [
    visible(shortById.get(id) ?? id),
    timeOf(updatedAt),
    state,
    counted(turns, "turn"),
    ...(isAll ? [visibleLine(workspace)] : []),
    visibleLine(title),
  ]);
}

/** Deletes by the full id first: an unreadable session makes listing fail, and can still be deleted this way. */
async function remove(transcripts: Transcripts, given: string, { output }: World): Promise<void> {
  const isRemoved = await transcripts.delete(given);
  const id = isRemoved ? given : (await findSession(transcripts, given)).id;
  if (!isRemoved) await transcripts.delete(id);
  await output.print(`deleted ${visible(id)}\n`);
}

type OnOne = (transcripts: Transcripts, info: SessionInfo, asked: Asked) => Promise<void>;

const ON_ONE: Readonly<Record<"show" | "export" | "fork", OnOne>> = {
  async show(transcripts, stored, { given, world, masker }) {
    const { info, entries } = maskSession(stored, await transcripts.entries(stored.id), masker);
    if (given.flags["json"] === true) return printJson({ info, entries }, world);
    return world.output.print(sessionPage(info, entries, world.columns));
  },

  async export(transcripts, info, { given, world, workspace, masker }) {
    const entries = await transcripts.entries(info.id);
    const isMarkdown = given.flags["format"] === "markdown";
    // The line breaks of the JSON are never inside a value.
    const text = isMarkdown
      ? visible(exportMarkdown(info, entries, masker))
      : exportJson(info, entries, masker).split("\n").map(visibleJson).join("\n");
    const { output: file } = given.flags;
    if (file === undefined) return world.output.print(text);
    await writeNewFile(resolve(workspace, String(file)), text, String(file));
    return world.output.print(`wrote ${visible(String(file))}\n`);
  },

  async fork(transcripts, info, { given, world }) {
    const entry = 'the number of an entry, as in "toolwright sessions show ID"';
    const at = numberFlag(given, "at", (value) => Number.isInteger(value) && value > 0, entry);
    const forked = await transcripts.fork(info.id, defined({ at }));
    if (given.flags["json"] === true) return printJson(forked, world);
    return world.output.print(
      `${forked.id}\n${info.id} up to entry ${forked.forkedFrom?.seq ?? 0}; resume with: ${world.program} run --resume ${forked.id} "…"\n`,
    );
  },
};

function printJson(value: unknown, { output }: World): Promise<void> {
  return output.print(`${visibleJson(JSON.stringify(value))}\n`);
}

/** Returns a session for a terminal: its facts, and one line for each entry. */
function sessionPage(info: SessionInfo, entries: readonly Entry[], columns: number | undefined): string {
  const { usage, calls } = conversationOf(entries);
  const cost = usage.cost === undefined ? "" : `, cost ${usage.cost.toFixed(4)}`;
  const facts: readonly (readonly [string, string])[] = [
    ["session", info.id],
    ["about", info.title === "" ? "-" : info.title],
    ["agent", info.agent.name],
    ["workspace", info.workspace],
    ["model", info.model],
    ["state", info.state],
    ["begun", timeOf(info.createdAt)],
    ["last used", timeOf(info.updatedAt)],
    [
      "spent",
      `${counted(info.turns, "turn")}, ${counted(calls, "call")}, ${usage.inputTokens + usage.outputTokens} tokens${cost}`,
    ],
    ...(info.forkedFrom === undefined
      ? []
      : [["forked from", `${info.forkedFrom.session} at ${info.forkedFrom.seq}`] as const]),
  ];
  const rows = entries.flatMap((entry) =>
    entryRows(entry).map(([who, text]) => [String(entry.seq), who, visibleLine(text)]),
  );
  return `${alignRows(facts.map(([name, value]) => [name, visibleLine(value)]))}\n${alignRows(rows, columns)}`;
}

type Row = readonly [who: string, text: string];

function entryRows(entry: Entry): readonly Row[] {
  if (entry.kind === "message") return messageRows(entry.message);
  if (entry.kind === "compaction") return [["summary", `of what is before ${entry.keptFrom}`]];
  if (entry.kind === "instructions")
    return [["instructions", entry.parts.map(({ name }) => name).join(", ")]];
  if (entry.kind === "command") return [["command", entry.text]];
  if (entry.kind === "state" && entry.state === "failed") return [["failed", entry.reason ?? ""]];
  return [];
}

function messageRows(message: Message): readonly Row[] {
  if (message.role === "user") return [[message.from?.name ?? "person", contentText(message.content, " ")]];
  if (message.role === "tool")
    return message.results.map((result) => [
      result.ok ? "✓" : "✗",
      `${result.name}: ${result.ok ? contentText(result.content, " ") : describeFault(result.error)}`,
    ]);
  return message.parts.flatMap((part): readonly Row[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [["agent", part.text]];
    return [["→", `${part.call.name} ${JSON.stringify(part.call.input) ?? ""}`]];
  });
}

import { writeFile } from "node:fs/promises";
import { exportJson } from "../../agent/sessions/export-json.ts";
import { exportMarkdown } from "../../agent/sessions/export-markdown.ts";
import { openTranscripts } from "../../agent/sessions/open-transcripts.ts";
import type { SessionInfo, Transcripts } from "../../agent/sessions/transcript.ts";
import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../core/memory-collections.ts";
import { loadConfig } from "../config.ts";
import { nearHint } from "../near-hint.ts";
import { openPresentStore } from "../open-configured-store.ts";
import { alignRows } from "./align-rows.ts";
import type { Arguments, Command, World } from "./command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "./command.ts";
import { findSession, shortIds } from "./find-session.ts";
import { tellWarning } from "./open-tools.ts";
import { oneLine, sessionPage, timeOf } from "./session-page.ts";
import { visible, visibleJson } from "./visible.ts";

const ACTIONS = ["list", "show", "export", "fork", "delete"] as const;

export const sessions: Command = {
  name: "sessions",
  summary: "list the conversations that are kept, show, export, fork or delete one",
  usage: "[list] [--all] | show ID | export ID [--format F] [--output FILE] | fork ID [--at SEQ] | delete ID",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    all: { summary: "list those of every workspace" },
    json: { summary: "print the list, the session with its entries, or the fork, as JSON" },
    format: { summary: "of an export; json unless given", value: "F", choices: ["json", "markdown"] },
    output: { summary: "write the export to this file, which must not be there", value: "FILE" },
    at: { summary: "fork with what is up to this entry; show lists their numbers", value: "SEQ" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "sessions", does: "those of this workspace, the last used first" },
    {
      line: "sessions show 1f0c22ab",
      does: "what happened in it, a line each; the beginning of an id is enough",
    },
    { line: "sessions export 1f0c22ab --format markdown --output talk.md", does: "for readers" },
    { line: "sessions fork 1f0c22ab --at 12", does: "another session that goes on from there" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags);
    for (const warning of config.warnings) tellWarning(world.output, warning);
    const { action, id } = readAction(given);
    const store = await openPresentStore(config);
    try {
      const transcripts = openTranscripts(store?.collections ?? createMemoryCollections());
      if (action === "list") await list(transcripts, config.workspace[0], { given, world });
      else if (action === "delete") await remove(transcripts, id, world);
      else await DOES[action](transcripts, await findSession(transcripts, id), { given, world });
      return 0;
    } finally {
      await store?.close();
    }
  },
};

type Action = (typeof ACTIONS)[number];

/** The flags that go with one action only. */
const OWN_FLAGS: Readonly<Record<string, readonly Action[]>> = {
  all: ["list"],
  json: ["list", "show", "fork"],
  format: ["export"],
  output: ["export"],
  at: ["fork"],
};

/** Throws on words that mean nothing, and on flags that the action would not heed. */
function readAction({ positionals, flags }: Arguments): { readonly action: Action; readonly id: string } {
  const [word = "list", id, ...rest] = positionals;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined) {
    throw new ToolError("INVALID_INPUT", `"${word}" is nothing that can be done with sessions`, {
      hint: nearHint(word, ACTIONS, `choose one of ${ACTIONS.join(", ")}`),
    });
  }
  if (rest.length > 0 || (action === "list" && id !== undefined)) {
    throw new ToolError("INVALID_INPUT", `too many words: ${[id, ...rest].join(" ")}`, { hint: USAGE });
  }
  if (action !== "list" && id === undefined) {
    throw new ToolError("INVALID_INPUT", `name the session: toolwright sessions ${action} ID`, {
      hint: USAGE,
    });
  }
  for (const [flag, actions] of Object.entries(OWN_FLAGS)) {
    if (flags[flag] === undefined || actions.includes(action)) continue;
    throw new ToolError(
      "INVALID_INPUT",
      `--${flag} goes with "sessions ${actions.join('" or "sessions ')}"`,
      {
        hint: USAGE,
      },
    );
  }
  return { action, id: id ?? "" };
}

const USAGE = "see toolwright sessions --help";

interface Asked {
  readonly given: Arguments;
  readonly world: World;
}

async function list(transcripts: Transcripts, workspace: string, { given, world }: Asked): Promise<void> {
  const isAll = given.flags["all"] === true;
  const found = await transcripts.list(isAll ? {} : { workspace });
  if (given.flags["json"] === true) return printJson(found, world);
  if (found.length > 0) return world.output.print(alignRows(rowsOf(found, isAll), world.columns));
  return world.output.print(isAll ? "no sessions are kept\n" : "no sessions are kept for this workspace\n");
}

function rowsOf(found: readonly SessionInfo[], isAll: boolean): readonly (readonly string[])[] {
  const ids = shortIds(found.map(({ id }) => id));
  return found.map(({ updatedAt, state, turns, workspace, title }, index) => [
    visible(ids[index] ?? ""),
    timeOf(updatedAt),
    state,
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    ...(isAll ? [oneLine(workspace)] : []),
    oneLine(title),
  ]);
}

/** One that can no longer be read keeps all from being listed; it is removed by its whole id. */
async function remove(transcripts: Transcripts, word: string, { output }: World): Promise<void> {
  const isRemoved = await transcripts.delete(word);
  const id = isRemoved ? word : (await findSession(transcripts, word)).id;
  if (!isRemoved) await transcripts.delete(id);
  await output.print(`deleted ${visible(id)}\n`);
}

type Does = (transcripts: Transcripts, info: SessionInfo, asked: Asked) => Promise<void>;

const DOES: Readonly<Record<Exclude<Action, "list" | "delete">, Does>> = {
  async show(transcripts, info, { given, world }) {
    const entries = await transcripts.entries(info.id);
    if (given.flags["json"] === true) return printJson({ info, entries }, world);
    return world.output.print(sessionPage(info, entries, world.columns));
  },

  async export(transcripts, info, { given, world }) {
    const entries = await transcripts.entries(info.id);
    const isMarkdown = given.flags["format"] === "markdown";
    const text = isMarkdown
      ? visible(exportMarkdown(info, entries))
      : visibleLines(exportJson(info, entries));
    const { output: file } = given.flags;
    if (file === undefined) return world.output.print(text);
    await writeNew(String(file), text);
    return world.output.print(`wrote ${visible(String(file))}\n`);
  },

  async fork(transcripts, info, { given, world }) {
    const at = readPlace(given);
    const forked = await transcripts.fork(info.id, at === undefined ? {} : { at });
    if (given.flags["json"] === true) return printJson(forked, world);
    return world.output.print(
      `${forked.id}\n${info.id} up to ${forked.forkedFrom?.seq ?? 0}; go on with: ${world.program} run --resume ${forked.id} "…"\n`,
    );
  },
};

/** JSON on several lines: its line breaks are between values and never in one. */
function visibleLines(json: string): string {
  return json.split("\n").map(visibleJson).join("\n");
}

function printJson(value: unknown, { output }: World): Promise<void> {
  return output.print(`${visibleJson(JSON.stringify(value))}\n`);
}

function readPlace({ flags }: Arguments): number | undefined {
  if (flags["at"] === undefined) return undefined;
  const at = Number(flags["at"]);
  if (Number.isInteger(at) && at > 0) return at;
  throw new ToolError("INVALID_INPUT", "--at needs the number of an entry", {
    hint: "toolwright sessions show ID lists them",
  });
}

/** For its owner only: a conversation is nobody else's business. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("UNAVAILABLE", `${file} cannot be written: ${reason}`, {
      hint: "name a file that is not there yet, in a folder that is",
      cause,
    });
  }
}

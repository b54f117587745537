import { writeFile } from "node:fs/promises";
import { exportJson } from "../../../agent/sessions/export/export-json.ts";
import { exportMarkdown } from "../../../agent/sessions/export/export-markdown.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { ToolError } from "../../../core/errors.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { findSession, shortIds } from "../../host/store/find-session.ts";
import { sessionPage, timeOf } from "../../terminal/print/session-page.ts";
import { visible, visibleJson, visibleLine } from "../../../util/text/visible.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

export type SessionAction = "list" | "show" | "export" | "fork" | "delete";

export interface Asked {
  readonly action: SessionAction;
  /** Or the beginning of one; nothing for a list. */
  readonly id: string;
  readonly workspace: string;
  readonly given: Arguments;
  readonly world: World;
}

/** Does with the sessions that are kept what a person asked for; without collections none are. */
export async function actOnSessions(kept: Collections | undefined, asked: Asked): Promise<void> {
  const transcripts = openTranscripts(kept ?? createMemoryCollections());
  const { action, id } = asked;
  if (action === "list") return list(transcripts, asked);
  if (action === "delete") return remove(transcripts, asked);
  return DOES[action](transcripts, await findSession(transcripts, id), asked);
}

async function list(transcripts: Transcripts, { workspace, given, world }: Asked): Promise<void> {
  const isAll = given.flags["all"] === true;
  const all = await transcripts.list();
  const found = isAll ? all : all.filter((one) => one.workspace === workspace);
  if (given.flags["json"] === true) return printJson(found, world);
  if (found.length > 0) return world.output.print(alignRows(rowsOf(found, all, isAll), world.columns));
  return world.output.print(isAll ? "no sessions are kept\n" : "no sessions are kept for this workspace\n");
}

/** An id is looked for among all, so what is shown of it tells it from those of other workspaces too. */
function rowsOf(
  found: readonly SessionInfo[],
  all: readonly SessionInfo[],
  isAll: boolean,
): readonly (readonly string[])[] {
  const ids = all.map(({ id }) => id);
  const shown = new Map(shortIds(ids).map((short, index) => [ids[index], short]));
  return found.map(({ id, updatedAt, state, turns, workspace, title }) => [
    visible(shown.get(id) ?? id),
    timeOf(updatedAt),
    state,
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    ...(isAll ? [visibleLine(workspace)] : []),
    visibleLine(title),
  ]);
}

/** One that can no longer be read keeps all from being listed; it is removed by its whole id. */
async function remove(transcripts: Transcripts, { id: word, world: { output } }: Asked): Promise<void> {
  const isRemoved = await transcripts.delete(word);
  const id = isRemoved ? word : (await findSession(transcripts, word)).id;
  if (!isRemoved) await transcripts.delete(id);
  await output.print(`deleted ${visible(id)}\n`);
}

type Does = (transcripts: Transcripts, info: SessionInfo, asked: Asked) => Promise<void>;

const DOES: Readonly<Record<Exclude<SessionAction, "list" | "delete">, Does>> = {
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
    const reason = errorMessage(cause);
    throw new ToolError("UNAVAILABLE", `${file} cannot be written: ${reason}`, {
      hint: "name a file that is not there yet, in a folder that is",
      cause,
    });
  }
}

import { defined } from "../../../util/json/defined.ts";
import { resolve } from "node:path";
import { exportJson, exportMarkdown } from "../../../agent/sessions/export.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { timeOf, alignRows } from "../../terminal/print/align-rows.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { numberFlag } from "../../terminal/input/check-arguments.ts";
import { findSession, shortIds } from "../../host/store/find-session.ts";
import { sessionPage } from "../../terminal/print/session-page.ts";
import { visible, visibleJson, visibleLine } from "../../../util/text/visible.ts";
import { writeNewFile } from "../../terminal/print/write-new-file.ts";

export type SessionAction = "list" | "show" | "export" | "fork" | "delete";

/** An action on the stored sessions. */
export interface SessionRequest {
  readonly action: SessionAction;
  /** A session id or a unique prefix of one; empty for a list. */
  readonly id: string;
  readonly workspace: string;
  readonly given: Arguments;
  readonly world: World;
}

/** Runs an action on the stored sessions; without collections there are none. */
export async function actOnSessions(
  collections: Collections | undefined,
  request: SessionRequest,
): Promise<void> {
  const transcripts = openTranscripts(collections ?? createMemoryCollections());
  const { action, id } = request;
  if (action === "list") return list(transcripts, request);
  if (action === "delete") return remove(transcripts, request);
  return ACTIONS[action](transcripts, await findSession(transcripts, id), request);
}

async function list(transcripts: Transcripts, { workspace, given, world }: SessionRequest): Promise<void> {
  const isAll = given.flags["all"] === true;
  const all = await transcripts.list();
  const found = isAll ? all : all.filter((one) => one.workspace === workspace);
  if (given.flags["json"] === true) return printJson(found, world);
  if (found.length > 0) return world.output.print(alignRows(rowsOf(found, all, isAll), world.columns));
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

/** Deletes by the full id first: an unreadable session makes listing fail, and can still be deleted this way. */
async function remove(transcripts: Transcripts, { id: given, world: { output } }: SessionRequest) {
  const isRemoved = await transcripts.delete(given);
  const id = isRemoved ? given : (await findSession(transcripts, given)).id;
  if (!isRemoved) await transcripts.delete(id);
  await output.print(`deleted ${visible(id)}\n`);
}

type Action = (transcripts: Transcripts, info: SessionInfo, asked: SessionRequest) => Promise<void>;

const ACTIONS: Readonly<Record<Exclude<SessionAction, "list" | "delete">, Action>> = {
  async show(transcripts, info, { given, world }) {
    const entries = await transcripts.entries(info.id);
    if (given.flags["json"] === true) return printJson({ info, entries }, world);
    return world.output.print(sessionPage(info, entries, world.columns));
  },

  async export(transcripts, info, { given, world, workspace }) {
    const entries = await transcripts.entries(info.id);
    const isMarkdown = given.flags["format"] === "markdown";
    const text = isMarkdown
      ? visible(exportMarkdown(info, entries))
      : visibleLines(exportJson(info, entries));
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

/** Escapes control characters in JSON of several lines, whose line breaks are never inside a value. */
function visibleLines(json: string): string {
  return json.split("\n").map(visibleJson).join("\n");
}

function printJson(value: unknown, { output }: World): Promise<void> {
  return output.print(`${visibleJson(JSON.stringify(value))}\n`);
}

import { ToolError } from "../../../core/errors.ts";
import { resolveEntry } from "../../../system/paths/entry.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { recoverChanges } from "../../../system/files/recover-changes.ts";
import { createTrash, type Trash } from "../../../system/saved/trash.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { timeOf, alignRows } from "../../terminal/print/align-rows.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import {
  numberFlag,
  onlyArgument,
  refuseArguments,
  takeAction,
} from "../../terminal/input/check-arguments.ts";
import { loadStoreSettings } from "../../terminal/input/load-settings.ts";
import { visible } from "../../../util/text/visible.ts";
import { counted } from "../../../util/text/words.ts";

const ACTIONS = ["list", "restore", "empty"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export const trash: Command = {
  name: "trash",
  summary: "list, restore or permanently remove files deleted by delete_file and apply_patch",
  usage: "[list] [--json]\nrestore ID [--to PATH] [--json]\nempty [--older-than DAYS] [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    to: { summary: "restore: target path (default: the original path)", value: "PATH", for: ["restore"] },
    "older-than": {
      summary: "empty: remove only entries deleted more than DAYS days ago",
      value: "DAYS",
      for: ["empty"],
    },
    json: { summary: "print the listed, restored or removed entries as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    trash: "list the deleted files, newest first",
    "trash restore 1f0c22ab": "restore a file to its original path; never overwrites",
    "trash restore 90be4d17 --to old.txt": "restore a file to another path",
    "trash empty --older-than 7": "permanently remove files deleted more than a week ago",
  },
  async run(given, world) {
    const config = loadStoreSettings(given.flags, world);
    const { action, rest } = takeAction(trash, given, ACTIONS, "list");
    const id =
      action === "restore" ? onlyArgument(rest, "entry id: toolwright trash restore ID", LISTS) : undefined;
    if (id === undefined) refuseArguments(rest);
    const { trash: folder, changes } = stateFoldersOf(config.paths);
    for (const problem of recoverChanges(changes)) world.output.warn(problem);
    const held = createTrash({ folder, operations: createFileOperations(changes) });
    if (id !== undefined) await restore(held, { id, cwd: config.paths.workspace[0] }, given, world);
    else if (action === "empty") await empty(held, given, world);
    else await list(held, given, world);
  },
};

const LISTS = "toolwright trash lists the entries";

async function list(held: Trash, { flags }: Arguments, { output, columns }: World): Promise<void> {
  const entries = await held.list();
  if (flags["json"] === true) return output.print(`${JSON.stringify(entries)}\n`);
  if (entries.length === 0) return output.print("the trash is empty\n");
  return output.print(alignRows(entries.map(row), columns));
}

async function restore(
  held: Trash,
  { id, cwd }: { readonly id: string; readonly cwd: string },
  { flags }: Arguments,
  { output }: World,
): Promise<void> {
  const entries = await held.list();
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw unknownEntry(id, entries);
  const to =
    flags["to"] === undefined
      ? entry.path
      : (await resolveEntry(String(flags["to"]), { cwd, access: "write" })).path;
  const path = await held.restore(entry, to).catch((error: unknown) => {
    throw withOtherPath(error, id);
  });
  const report = flags["json"] === true ? JSON.stringify({ ...entry, path }) : `restored ${visible(path)}`;
  await output.print(`${report}\n`);
}

async function empty(held: Trash, { flags }: Arguments, { output }: World): Promise<void> {
  const days = numberFlag({ flags }, "older-than", (value) => value >= 0, "a number of days, 0 or more");
  const gone = await held.empty(days === undefined ? Infinity : Date.now() - days * DAY_MS);
  if (flags["json"] === true) return output.print(`${JSON.stringify(gone)}\n`);
  const bytes = gone.reduce((sum, entry) => sum + entry.bytes, 0);
  return output.print(`removed ${counted(gone.length, "entry", "entries")}, ${bytes} bytes\n`);
}

function row({ id, deletedAt, kind, bytes, path }: TrashEntry): readonly string[] {
  return [id, timeOf(deletedAt), kind, `${bytes} bytes`, visible(path)];
}

function unknownEntry(id: string, entries: readonly TrashEntry[]): ToolError {
  const ids = entries.map((entry) => entry.id);
  return unknownName(`no trash entry has the id ${JSON.stringify(id)}`, id, ids, LISTS);
}

/** Adds the hint to restore to another path. */
function withOtherPath(error: unknown, id: string): unknown {
  if (!(error instanceof ToolError) || error.hint !== undefined) return error;
  const hint = `to restore it to another path: toolwright trash restore ${id} --to PATH`;
  return new ToolError(error.code, error.message, { hint, cause: error, details: error.details });
}

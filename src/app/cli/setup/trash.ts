import { ToolError } from "../../../core/errors.ts";
import { resolveEntry } from "../../../system/paths/entry.ts";
import { createTrash, type Trash } from "../../../system/saved/trash.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { loadConfig } from "../../config/config.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import {
  CONFIG_FLAGS,
  STORE_FLAG,
  type Arguments,
  type Command,
  type World,
} from "../../terminal/input/command.ts";
import {
  chooseAction,
  invalidValue,
  onlyArgument,
  refuseArguments,
  refuseFlags,
} from "../../terminal/input/check-arguments.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import { visible } from "../../../util/text/visible.ts";

const ACTIONS = ["list", "restore", "empty"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export const trash: Command = {
  name: "trash",
  summary: "list, restore or permanently remove files deleted by delete_file and apply_patch",
  usage: "[list] [--json]\nrestore ID [--to PATH] [--json]\nempty [--older-than DAYS] [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    to: { summary: "restore: target path (default: the original path)", value: "PATH" },
    "older-than": { summary: "empty: remove only entries deleted more than DAYS days ago", value: "DAYS" },
    json: { summary: "print the listed, restored or removed entries as JSON" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "trash", does: "list the deleted files, newest first" },
    { line: "trash restore 1f0c22ab", does: "restore a file to its original path; never overwrites" },
    { line: "trash restore 90be4d17 --to old.txt", does: "restore a file to another path" },
    { line: "trash empty --older-than 7", does: "permanently remove files deleted more than a week ago" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags, world.environment());
    for (const warning of config.warnings) printWarning(world.output, warning);
    const { action, id } = readAction(given);
    const held = createTrash({ folder: stateFoldersOf(config).trash });
    if (action === "restore") await restore(held, id, { cwd: config.workspace[0], given, world });
    else if (action === "empty") await empty(held, given, world);
    else await list(held, given, world);
    return 0;
  },
};

interface Action {
  readonly action: (typeof ACTIONS)[number];
  readonly id: string;
}

/** The actions that each flag can be used with. */
const USED_BY: Readonly<Record<string, readonly string[]>> = { to: ["restore"], "older-than": ["empty"] };

/** Throws on an unknown action, unused arguments, and flags that the action does not use. */
function readAction(given: Arguments): Action {
  const [name = "list", ...rest] = given.positionals;
  const action = chooseAction(name, ACTIONS, "trash");
  refuseFlags(given, action, USED_BY, ["trash"]);
  if (action === "restore")
    return { action, id: onlyArgument(rest, "entry id: toolwright trash restore ID", LISTS) };
  refuseArguments(rest);
  return { action, id: "" };
}

const LISTS = "toolwright trash lists the entries";

async function list(held: Trash, { flags }: Arguments, { output, columns }: World): Promise<void> {
  const entries = await held.list();
  if (flags["json"] === true) return output.print(`${JSON.stringify(entries)}\n`);
  if (entries.length === 0) return output.print("the trash is empty\n");
  return output.print(alignRows(entries.map(row), columns));
}

interface Restoring {
  readonly cwd: string;
  readonly given: Arguments;
  readonly world: World;
}

async function restore(held: Trash, id: string, { cwd, given, world }: Restoring): Promise<void> {
  const { flags } = given;
  const entries = await held.list();
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw unknownEntry(id, entries);
  const to = flags["to"] === undefined ? entry.path : await resolvePath(String(flags["to"]), cwd);
  const path = await held.restore(entry, to).catch((error: unknown) => {
    throw withOtherPath(error, id);
  });
  const shown = flags["json"] === true ? JSON.stringify({ ...entry, path }) : `restored ${visible(path)}`;
  await world.output.print(`${shown}\n`);
}

async function resolvePath(path: string, cwd: string): Promise<string> {
  return (await resolveEntry(path, { cwd, access: "write" })).path;
}

async function empty(held: Trash, { flags }: Arguments, { output }: World): Promise<void> {
  const days = flags["older-than"] === undefined ? 0 : Number(flags["older-than"]);
  if (!(days >= 0) || flags["older-than"] === "") {
    throw invalidValue("older-than", flags["older-than"], "a number of days, 0 or more");
  }
  const isAll = flags["older-than"] === undefined;
  const gone = await held.empty(isAll ? Number.POSITIVE_INFINITY : Date.now() - days * DAY_MS);
  if (flags["json"] === true) return output.print(`${JSON.stringify(gone)}\n`);
  const bytes = gone.reduce((sum, entry) => sum + entry.bytes, 0);
  return output.print(`removed ${gone.length} ${gone.length === 1 ? "entry" : "entries"}, ${bytes} bytes\n`);
}

function row({ id, deletedAt, kind, bytes, path }: TrashEntry): readonly string[] {
  const when = new Date(deletedAt).toISOString().replace("T", " ").slice(0, 19);
  return [id, when, kind, `${bytes} bytes`, visible(path)];
}

function unknownEntry(id: string, entries: readonly TrashEntry[]): ToolError {
  const ids = entries.map((entry) => entry.id);
  return new ToolError("INVALID_INPUT", `no trash entry has the id ${JSON.stringify(id)}`, {
    hint: nearHint(id, ids, LISTS),
  });
}

/** Adds the hint to restore to another path. */
function withOtherPath(error: unknown, id: string): unknown {
  if (!(error instanceof ToolError) || error.hint !== undefined) return error;
  const hint = `to restore it to another path: toolwright trash restore ${id} --to PATH`;
  return new ToolError(error.code, error.message, {
    hint,
    cause: error,
    ...(error.details && { details: error.details }),
  });
}

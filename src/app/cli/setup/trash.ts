import { ToolError } from "../../../core/errors.ts";
import { resolveEntry } from "../../../system/paths/entry.ts";
import type { Trash } from "../../../system/saved/trash.ts";
import { createTrash } from "../../../system/saved/trash.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { loadConfig } from "../../config/config.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import type { Arguments, Command, World } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "../../terminal/input/command.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import { visible } from "../../../util/text/visible.ts";

const ACTIONS = ["list", "restore", "empty"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

export const trash: Command = {
  name: "trash",
  summary: "list what delete_file and apply_patch deleted, restore it, or remove it for good",
  usage: "[list] | restore ID [--to PATH] | empty [--older-than DAYS]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    to: { summary: "restore to this path instead of the old one", value: "PATH" },
    "older-than": { summary: "remove only what was deleted more than so many days ago", value: "DAYS" },
    json: { summary: "print a list of entries, the restored entry, or those removed, as JSON" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "trash", does: "what is in it, newest first" },
    { line: "trash restore 1f0c22ab", does: "back to where it was; never over something else" },
    { line: "trash restore 90be4d17 --to old.txt", does: "to another place" },
    { line: "trash empty --older-than 7", does: "remove for good what was deleted over a week ago" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags);
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

/** Throws on words that mean nothing, and on flags that the action would not heed. */
function readAction({ positionals, flags }: Arguments): Action {
  const [word = "list", id, ...rest] = positionals;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined) {
    throw new ToolError("INVALID_INPUT", `"${word}" is nothing that can be done with the trash`, {
      hint: nearHint(word, ACTIONS, `choose one of ${ACTIONS.join(", ")}`),
    });
  }
  if (rest.length > 0 || (action !== "restore" && id !== undefined)) {
    throw new ToolError("INVALID_INPUT", `too many words: ${[id, ...rest].join(" ")}`, { hint: USAGE });
  }
  if (action === "restore" && id === undefined) {
    throw new ToolError("INVALID_INPUT", "name what to restore: toolwright trash restore ID", {
      hint: LISTS,
    });
  }
  if (flags["to"] !== undefined && action !== "restore") throw misplaced("--to", "restore");
  if (flags["older-than"] !== undefined && action !== "empty") throw misplaced("--older-than", "empty");
  return { action, id: id ?? "" };
}

const USAGE = "see toolwright trash --help";
const LISTS = "toolwright trash lists what there is";

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
    throw withWayOut(error, id);
  });
  const told = flags["json"] === true ? JSON.stringify({ ...entry, path }) : `restored ${visible(path)}`;
  await world.output.print(`${told}\n`);
}

async function resolvePath(path: string, cwd: string): Promise<string> {
  return (await resolveEntry(path, { cwd, access: "write" })).path;
}

async function empty(held: Trash, { flags }: Arguments, { output }: World): Promise<void> {
  const days = flags["older-than"] === undefined ? 0 : Number(flags["older-than"]);
  if (!(days >= 0) || flags["older-than"] === "") {
    throw new ToolError("INVALID_INPUT", "--older-than needs a number of days, from 0");
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
  return new ToolError("INVALID_INPUT", `nothing in the trash has the id ${JSON.stringify(id)}`, {
    hint: nearHint(id, ids, LISTS),
  });
}

/** What stands in the way of a restore at its old place can be avoided at another. */
function withWayOut(error: unknown, id: string): unknown {
  if (!(error instanceof ToolError) || error.hint !== undefined) return error;
  const hint = `to restore it elsewhere: toolwright trash restore ${id} --to PATH`;
  return new ToolError(error.code, error.message, {
    hint,
    cause: error,
    ...(error.details && { details: error.details }),
  });
}

function misplaced(flag: string, action: string): ToolError {
  return new ToolError("INVALID_INPUT", `${flag} goes with "trash ${action}"`, { hint: USAGE });
}

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { PROCESS_FOLDER } from "../../../system/process/roster.ts";
import { visible } from "../../../util/text/visible.ts";
import type { Config } from "../../config/groups.ts";
import { askLine, dropTypedAhead } from "../../terminal/approve/ask-line.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Command, type World } from "../../terminal/input/command.ts";
import { loadStoreSettings } from "../../terminal/input/load-settings.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { wrapLast } from "../../terminal/print/wrap.ts";

const CONFIRM = 3;

export const uninstall: Command = {
  name: "uninstall",
  summary: "remove the stored calls, sessions and files of Toolwright",
  usage: "--state [--yes] [--json]",
  flags: {
    state: { summary: "remove the state: the store, the trash, checkpoints, reports and copies" },
    yes: { summary: "remove without asking", short: "y" },
    json: { summary: "print what is there, or with --yes what was removed, as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    "uninstall --state": "show what would be removed, with sizes, and ask (without a terminal: exit code 3)",
    "uninstall --state --yes": "remove it without asking",
    "uninstall --state --json": "print what would be removed, as JSON",
  },
  async run({ positionals, flags }, world) {
    refuseArguments(positionals);
    if (flags["state"] !== true)
      throw new ToolError("INVALID_INPUT", "missing --state", {
        hint: "toolwright uninstall --state removes what was stored; npm uninstall -g toolwright removes the program",
      });
    const folders = stateFolders(loadStoreSettings(flags, world));
    const state = folders.flatMap(readState);
    const entries = state.filter(({ isOwn }) => isOwn);
    const isYes = flags["yes"] === true;
    if (flags["json"] !== true) await world.output.print(page(state, world.columns ?? Infinity));
    else if (!isYes) return await world.output.print(`${JSON.stringify({ entries, removed: false })}\n`);
    if (entries.length > 0) {
      await refuseIfUsed(folders);
      if (!isYes && !(await isConfirmed(world))) return CONFIRM;
      // The question may have been open for long.
      await refuseIfUsed(folders);
      // Reading a database leaves files beside it.
      const own = folders.flatMap(readState).filter(({ isOwn }) => isOwn);
      for (const { path } of own) await rm(path, { recursive: true, force: true });
      for (const folder of folders) await removeEmpty(folder);
    }
    const removed = JSON.stringify({ entries, removed: true });
    await world.output.print(flags["json"] === true ? `${removed}\n` : "removed\n");
  },
};

/** What the entries of a folder of state are. Nothing else in it is removed. */
const ENTRIES: Readonly<Record<string, string>> = {
  "toolwright.db": "calls, sessions, approvals and trust",
  "toolwright.db-wal": "the latest changes of it",
  "toolwright.db-shm": "its index",
  spool: "calls that are not in the database yet",
  artifacts: "long answers",
  "last-use": "when it was used last",
  "prompts.jsonl": "your prompts",
  trash: "deleted files",
  checkpoints: "earlier versions of files",
  reports: "reports",
  dumps: "sessions as Markdown",
  copies: "copies of workspaces that sandboxes changed",
  [PROCESS_FOLDER]: "which processes run",
  changes: "locks and unfinished changes of files",
  daily: "copies of the small parts, one a day",
  swept: "when old temporary folders were looked for",
};
/** What `toolwright store` sets aside. */
const SET_ASIDE = /^(?:before-restore|damaged)-[\dT:.Z-]+$/;

interface Entry {
  readonly path: string;
  readonly what: string;
  readonly bytes: number;
  /** False: it is not from Toolwright, and stays. */
  readonly isOwn: boolean;
}

/** Returns the folder of the store, and the one that all stores share. */
function stateFolders({ paths, storage }: Pick<Config, "paths" | "storage">): readonly string[] {
  const shared = join(paths.home, "state");
  const isOnDisk = !storage.isShared && paths.store !== ":memory:";
  return [...new Set(isOnDisk ? [paths.store, shared] : [shared])];
}

/** Returns the entries of a folder. Throws if the folder is a link: what it leads to is not removed. */
function readState(folder: string): readonly Entry[] {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  if (!entry.isDirectory())
    throw new ToolError("INVALID_INPUT", `${folder} is a link or a file, and links are not followed`, {
      hint: "nothing was removed; to remove what it leads to, name that folder with --store PATH",
    });
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const known = Object.hasOwn(ENTRIES, name) ? ENTRIES[name] : undefined;
    const what = known ?? (SET_ASIDE.test(name) ? "an earlier store, set aside" : undefined);
    return {
      path,
      what: what ?? "not from Toolwright: it stays",
      bytes: sizeOf(path),
      isOwn: what !== undefined,
    };
  });
}

/** Returns the size of a file, or of all files in a folder. A link counts as itself. */
function sizeOf(path: string): number {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function page(entries: readonly Entry[], width: number): string {
  if (!entries.some(({ isOwn }) => isOwn)) return "there is no state to remove\n";
  const rows = entries.map(({ path, what, bytes }) => [visible(path), size(bytes), what]);
  const total = entries.reduce((sum, { bytes, isOwn }) => sum + (isOwn ? bytes : 0), 0);
  return `${alignRows(wrapLast(rows, width))}${size(total)} would be removed, for good\n`;
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Throws if another process uses the store, or if that cannot be found out. */
async function refuseIfUsed(folders: readonly string[]): Promise<void> {
  const { inUse, usersOf } = await import("../../../store/care/check-store.ts");
  for (const folder of folders) {
    const users = readUsers(folder, usersOf);
    if (users.length > 0) throw inUse(folder, users);
  }
}

function readUsers<T>(folder: string, usersOf: (folder: string) => readonly T[] | undefined): readonly T[] {
  try {
    const users = usersOf(folder);
    if (users !== undefined) return users;
  } catch (cause) {
    throw unreadable(folder, cause);
  }
  throw unreadable(folder);
}

function unreadable(folder: string, cause?: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `the store ${folder} cannot be read, so another process may use it`, {
    hint: "nothing was removed; end all processes of Toolwright, then remove the folder yourself",
    cause,
  });
}

async function isConfirmed(world: World): Promise<boolean> {
  if (!world.isInteractive) {
    world.output.log("toolwright: run toolwright uninstall --state --yes to remove it");
    return false;
  }
  await dropTypedAhead(world);
  const answer = await askLine(world, "Remove it? [y]es; [n]o: ");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Removes a folder; it stays if something is in it. */
async function removeEmpty(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length === 0) await rmdir(folder);
}

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { StoreReport } from "../../../store/care/check-store.ts";
import { counted } from "../../../util/text/words.ts";
import { visible } from "../../../util/text/visible.ts";
import type { Config } from "../../config/groups.ts";
import { onlyArgument, refuseArguments, takeAction } from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { loadStoreSettings } from "../../terminal/input/load-settings.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";

const ACTIONS = ["check", "compact", "backup", "restore", "recover"] as const;
type Action = (typeof ACTIONS)[number];

export const store: Command = {
  name: "store",
  summary: "check, compact, back up, restore or recover the store of calls and sessions",
  usage:
    "[check] [--json]\ncompact [--json]\nbackup FOLDER [--json]\nrestore FOLDER [--json]\nrecover [--approvals] [--json]",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    approvals: {
      summary:
        "recover: also take approvals and trust from the copy of a day; some may have been revoked since",
      for: ["recover"],
    },
    json: { summary: "print what was found or done as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    store: "what is in the store, how large it is, and whether it is damaged",
    "store compact": "return the space of deleted calls and sessions to the disk",
    "store backup ~/backup-1": "copy the store to a new folder, also while it is in use",
    "store restore ~/backup-1": "verify a copy and put it in place; the present store stays beside it",
    "store recover":
      "make a new store of what can be read of a damaged one (if none is damaged: exit code 2)",
  },
  async run(given, world) {
    const config = loadStoreSettings(given.flags, world);
    const { action, rest } = takeAction(store, given, ACTIONS, "check");
    const needsFolder = action === "backup" || action === "restore";
    const argument = needsFolder ? onlyArgument(rest, `folder: toolwright store ${action} FOLDER`) : "";
    if (!needsFolder) refuseArguments(rest);
    const folder = folderOf(config, action);
    const other = resolve(config.paths.workspace[0], argument);
    return RUN[action]({ folder, other, flags: given.flags, world });
  },
};

interface Request {
  readonly folder: string;
  /** The folder of a backup. */
  readonly other: string;
  readonly flags: Arguments["flags"];
  readonly world: World;
}

/** What to do instead with a store in NATS, whose servers hold it. */
const FOR_NATS: Readonly<Record<Action, string>> = {
  check: "nats stream report shows its streams; toolwright fleet and toolwright doctor check the servers",
  compact: "the servers remove what is older than keepDays and return the space themselves",
  backup: "nats account backup FOLDER copies its streams while they are in use",
  restore: "nats account restore FOLDER puts a copy in place",
  recover:
    "a server that lost its disk copies the streams from the others; without replicas, restore a backup",
};

/** Returns the folder of the store. Throws if it is not on disk, or does not exist where that is needed. */
function folderOf(
  { storage, paths: { store: folder } }: Pick<Config, "paths" | "storage">,
  action: Action,
): string {
  if (storage.isShared)
    throw new ToolError("INVALID_INPUT", `the store is nats, and store ${action} is for a store on disk`, {
      hint: FOR_NATS[action],
    });
  if (folder === ":memory:")
    throw new ToolError("INVALID_INPUT", `the store is :memory:, which store ${action} cannot be used with`);
  if (action !== "restore" && !existsSync(resolve(folder, "toolwright.db")))
    throw new ToolError("INVALID_INPUT", `there is no store in ${folder} yet`, {
      hint: "it is created by the first call",
    });
  return folder;
}

const RUN: Readonly<Record<Action, (request: Request) => Promise<number>>> = {
  async check({ folder, flags, world }) {
    const { checkStore } = await import("../../../store/care/check-store.ts");
    const report = await checkStore(folder);
    await print(world, flags, report, page(report));
    const isUsable = report.problems.length === 0 && !report.isNewer && report.unfinishedRecovery === null;
    return isUsable ? 0 : 1;
  },

  async compact({ folder, flags, world }) {
    const { compactStore } = await import("../../../store/care/compact-store.ts");
    const sizes = await compactStore(folder);
    const text = `the database had ${size(sizes.beforeBytes)} and has ${size(sizes.afterBytes)}\n`;
    return print(world, flags, sizes, text);
  },

  async backup({ folder, other, flags, world }) {
    const { backupStore } = await import("../../../store/care/backup-store.ts");
    const { files } = await backupStore(folder, other);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const done = { folder: other, files: files.length, bytes };
    const text = `copied ${counted(files.length, "file")}, ${size(bytes)}, to ${visible(other)}\n`;
    return print(world, flags, done, text);
  },

  async restore({ folder, other, flags, world }) {
    const { restoreStore } = await import("../../../store/care/restore-store.ts");
    const { manifest, before } = await restoreStore(folder, other);
    const made = new Date(manifest.createdAt).toISOString();
    const backupNote = before === undefined ? "" : `; the store that was there is in ${visible(before)}`;
    const done = { folder, createdAt: manifest.createdAt, before: before ?? null };
    return print(world, flags, done, `restored the store of ${made} in ${visible(folder)}${backupNote}\n`);
  },

  async recover({ folder, flags, world }) {
    const { recoverStore } = await import("../../../store/care/recover-store.ts");
    const done = await recoverStore(folder, {
      onProgress: (line) => world.output.log(line),
      takesApprovals: flags["approvals"] === true,
    });
    const rows = done.unreadable === 0 ? "" : `; up to ${counted(done.unreadable, "row")} could not be read`;
    const text = `recovered ${counted(done.documents, "document")} and ${counted(done.calls, "call")}${rows}\n`;
    if (done.fromCopy !== undefined)
      world.output.log(
        `${counted(done.fromCopy.documents, "document")} of them are from ${done.fromCopy.path}`,
      );
    if (done.openedBy.length > 0)
      world.output.log(
        `start again what has opened the damaged store: process ${done.openedBy.join(", ")}; it stores nothing more`,
      );
    return print(world, flags, done, `${text}the damaged store is in ${visible(done.aside)}\n`);
  },
};

async function print(
  { output }: World,
  { json: isJson }: Request["flags"],
  value: object,
  text: string,
): Promise<number> {
  await output.print(isJson === true ? `${JSON.stringify(value)}\n` : text);
  return 0;
}

function page(report: StoreReport): string {
  const { path, problems, bytes, freeBytes, logBytes, calls, documents, artifacts, openedBy } = report;
  const list = (numbers: Readonly<Record<string, number>>): string =>
    Object.entries(numbers)
      .map(([name, count]) => `${count} ${visible(name)}`)
      .join(", ") || "none";
  const rows = [
    [
      "database",
      `${visible(path)}, ${size(bytes)}, of which ${size(freeBytes)} free, and ${size(logBytes)} of log`,
    ],
    ["calls", list(calls)],
    ["documents", list(documents)],
    ["artifacts", String(artifacts)],
    ["opened by", openedBy.map((pid) => `process ${pid}`).join(", ") || "no process"],
  ];
  const damaged = problems.map((problem) => `damaged: ${visible(problem)}\n`).join("");
  const isRecoverable = problems.some((problem) => problem.startsWith(path));
  const hint = isRecoverable ? "toolwright store recover makes a new store of what can be read\n" : "";
  const result = damaged === "" ? "nothing is damaged\n" : damaged + hint;
  return `${alignRows(rows)}${result}${notes(report)}`;
}

function notes({ version, isNewer, unfinishedRecovery }: StoreReport): string {
  const newer = `it was created by a newer Toolwright, with schema version ${version}: update Toolwright to use it\n`;
  const unfinished = `its recovery from ${visible(unfinishedRecovery ?? "")} was interrupted: toolwright store recover adds the other calls\n`;
  return `${isNewer ? newer : ""}${unfinishedRecovery === null ? "" : unfinished}`;
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

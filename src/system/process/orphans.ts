import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { isAlive, isElsewhere } from "./identity.ts";
import { PROCESS_FOLDER, type RosterRecord } from "./roster.ts";
import { endTree } from "./tree.ts";

const GRACE_MS = 1000;
/** A younger unreadable record may still be being written. */
const MAX_UNREADABLE_AGE_MS = 60_000;

/**
 * Kills the recorded processes whose owner has died, with everything they started, and returns their number. Never kills a
 * process whose owner is alive or in another pid namespace, nor one that cannot be proven to be the recorded one.
 */
export async function endOrphans(stateFolder: string): Promise<number> {
  const folder = join(stateFolder, PROCESS_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const ended = await Promise.all(names.map((name) => endOrphan(join(folder, name))));
  return ended.filter(Boolean).length;
}

async function endOrphan(path: string): Promise<boolean> {
  if (!path.endsWith(".json")) return false;
  const record = parseRecord(await readFile(path, "utf8").catch(() => ""));
  if (record === undefined) {
    await removeUnreadable(path);
    return false;
  }
  const { owner, child, marker } = record;
  if (isElsewhere(owner) || isAlive(owner)) return false;
  const isLeaderAlive =
    child !== undefined && child.start !== null && child.pid !== process.pid && isAlive(child);
  const ended = await endTree(isLeaderAlive ? child.pid : undefined, GRACE_MS, marker);
  await rm(path, { force: true }).catch(() => undefined);
  return isLeaderAlive || ended > 0;
}

/** Merges the lines of a record. The last one may be incomplete. */
function parseRecord(text: string): RosterRecord | undefined {
  const lines = text.split("\n").map((line) => attempt(() => JSON.parse(line) as object | null));
  const record = Object.assign({}, ...lines) as Partial<RosterRecord>;
  const { owner, marker, child } = record;
  const isChild = Number.isInteger(child?.pid) && (child?.pid ?? 0) > 1;
  const isUsable =
    Number.isInteger(owner?.pid) && (isChild || (child === undefined && typeof marker === "string"));
  return isUsable ? (record as RosterRecord) : undefined;
}

async function removeUnreadable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || Date.now() - found.mtimeMs < MAX_UNREADABLE_AGE_MS) return;
  await rm(path, { force: true }).catch(() => undefined);
}

import { readdirSync, readlinkSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { attempt } from "../../util/async/attempt.ts";
import { isAlive, isElsewhere } from "./identity.ts";
import { listProc, readEnvironment, readStat, retryRead } from "./proc.ts";
import { PROCESS_FOLDER, parseRecordName, type RosterChild, type RosterRecord } from "./roster.ts";
import { endTree } from "./tree.ts";

const GRACE_MS = 1000;
const POLL_MS = 5;
/** The longest time to wait for programs that are just being started. */
const START_MS = 5000;

interface Found extends RosterRecord {
  readonly path: string;
}

/**
 * Kills the recorded processes whose owner has died, with everything they started, and returns their number. Never kills a
 * process whose owner is alive or in another pid namespace, nor one that cannot be proven to be the recorded one.
 */
export async function endOrphans(stateFolder: string): Promise<number> {
  const left = findOrphans(stateFolder);
  if (left.length > 0) await untilStarted(Math.min(...left.map(({ owner }) => Number(owner.start))));
  const ended = await Promise.all(left.map(endOrphan));
  return ended.filter(Boolean).length;
}

/** Returns the records of programs whose owner has died in this pid namespace. */
export function findOrphans(stateFolder: string): readonly Found[] {
  const folder = join(stateFolder, PROCESS_FOLDER);
  const names = attempt(() => readdirSync(folder)) ?? [];
  const records = names.flatMap((name): readonly Found[] => {
    const record = parseRecordName(name);
    return record === undefined ? [] : [{ ...record, path: join(folder, name) }];
  });
  return records.filter(({ owner }) => !isElsewhere(owner) && !isAlive(owner));
}

async function endOrphan({ owner, marker, path }: Found): Promise<boolean> {
  const child = parseChild(await readFile(path, "utf8").catch(() => ""));
  const isLeaderAlive = child !== undefined && isAlive({ ...child, boot: owner.boot });
  const ended = await endTree(isLeaderAlive ? child.pid : undefined, GRACE_MS, marker);
  await rm(path, { force: true }).catch(() => undefined);
  return isLeaderAlive || ended > 0;
}

/** Returns undefined if it was not written, not completely, or without its start. */
function parseChild(text: string): RosterChild | undefined {
  const { pid, start } = attempt(() => JSON.parse(text) as Partial<RosterChild>) ?? {};
  const isUsable = pid !== undefined && Number.isInteger(pid) && pid > 1 && typeof start === "string";
  return isUsable && pid !== process.pid ? { pid, start } : undefined;
}

/**
 * Waits until the processes that have lost their parent between fork and exec have their program: before, they have the
 * environment of their parent, and while it is replaced none, so that no marker is found. Those that are older than the owners are not theirs.
 */
async function untilStarted(since: number): Promise<void> {
  const until = performance.now() + START_MS;
  let starting = (await retryRead(listProc)) ?? [];
  const look = (): readonly number[] => starting.filter((pid) => isStarting(pid, since));
  while ((starting = await retryRead(look)).length > 0 && performance.now() < until)
    await setTimeout(POLL_MS);
}

const [STATE, PARENT, FLAGS, START] = [0, 1, 6, 19];
/** The flag of a process that was forked and has not called exec since. */
const NO_EXEC = 0x40;

function isStarting(pid: number, since: number): boolean {
  if (readEnvironment(pid) === undefined) return true;
  const stat = readStat(pid);
  if (stat === undefined || (Number(stat[FLAGS]) & NO_EXEC) === 0 || Number(stat[START]) < since)
    return false;
  // A subshell that waits for something is not on its way to exec.
  if (stat[STATE] === "S") return false;
  const program = programOf(pid);
  // With its parent it has the same program.
  return program !== undefined && (stat[PARENT] === "1" || program !== programOf(Number(stat[PARENT])));
}

function programOf(pid: number): string | undefined {
  return attempt(() => readlinkSync(`/proc/${pid}/exe`));
}

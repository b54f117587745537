import { setTimeout } from "node:timers/promises";
import { attempt } from "../../util/async/attempt.ts";
import { findMarked, isLastStarted } from "./marker.ts";
import { listProc, readStat, retryRead } from "./proc.ts";

const POLL_MS = 10;
/** How often to look whether what was left behind has ended by itself. */
const REST_POLL_MS = 100;
const MAX_PASSES = 20;
/** The time to wait for killed processes to end; one that hangs in the kernel is not waited for. */
const VANISH_MS = 1000;

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since boot; distinguishes a process from a later one with the same pid. */
  readonly startedAt: string;
}

/**
 * Ends all descendants of a session leader: SIGTERM at once, SIGKILL after the grace period. Includes processes that moved
 * to another group, or to another session while their parent was alive, and all that have the marker. Resolves with their number when
 * all are gone. Without a leader, ends only those that have the marker, and what they started.
 */
export async function endTree(leader: number | undefined, graceMs: number, marker?: string): Promise<number> {
  const known = new Map<string, Row>();
  await signalAll(leader, known, "SIGTERM", marker);
  await untilGone(leader, known, graceMs);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    await signalAll(leader, known, "SIGKILL", marker);
    await untilGone(leader, known, VANISH_MS);
    // A process may have been forked just before its parent was killed.
    if (marker === undefined || (await findMarked(marker, leader)).length === 0) break;
  }
  return known.size;
}

/** Ends the processes that a program left behind when it ended just now, and returns their number. Usually there are none. */
export async function endRest(leader: number, graceMs: number, marker: string): Promise<number> {
  if (isLastStarted(leader)) return 0;
  const hasRest = send(-leader, 0) || (await findMarked(marker, leader)).length > 0;
  return hasRest ? endTree(leader, graceMs, marker) : 0;
}

/** Waits for the processes that a program left behind when it ended just now. */
export async function untilRestEnds(leader: number, marker: string): Promise<void> {
  let rest = await restOf(leader, marker);
  const isOver = (): boolean => (hasProcessTable() ? !rest.some(isAlive) : !send(-leader, 0));
  do {
    // They run as long as it is unknown.
    while (!(await retryRead(isOver).catch(() => false)))
      await setTimeout(REST_POLL_MS, undefined, { ref: false });
    const known = rest;
    rest = await restOf(undefined, marker).catch(() => known);
  } while (rest.length > 0);
}

/** Returns what is in the session of a leader that has just ended, and what has the marker. */
async function restOf(leader: number | undefined, marker: string): Promise<readonly Row[]> {
  const marked = new Set(await findMarked(marker, leader));
  return ((await retryRead(processTable)) ?? []).filter(
    (row) => row.session === leader || marked.has(row.pid),
  );
}

async function signalAll(
  leader: number | undefined,
  known: Map<string, Row>,
  signal: "SIGTERM" | "SIGKILL",
  marker: string | undefined,
): Promise<void> {
  const marked = new Set(marker === undefined ? [] : await findMarked(marker, leader));
  const table = await retryRead(processTable);
  if (table === undefined) {
    if (leader !== undefined) send(-leader, signal);
    return;
  }
  for (const row of table) if (marked.has(row.pid)) known.set(identityOf(row), row);
  for (const row of membersOf(leader, known, table)) known.set(identityOf(row), row);
  const alive = await retryRead(() => [...known.values()].filter(isAlive));
  if (leader !== undefined && alive.some((row) => row.group === leader)) send(-leader, signal);
  for (const row of alive) if (row.group !== leader) send(row.pid, signal);
}

function membersOf(
  leader: number | undefined,
  known: ReadonlyMap<string, Row>,
  table: readonly Row[],
): readonly Row[] {
  const members = new Map<number, Row>();
  const isMember = (row: Row): boolean =>
    row.session === leader || members.has(row.parent) || known.has(identityOf(row));
  for (let before = -1; before < members.size;) {
    before = members.size;
    for (const row of table) if (isMember(row)) members.set(row.pid, row);
  }
  return [...members.values()];
}

async function untilGone(
  leader: number | undefined,
  known: ReadonlyMap<string, Row>,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs;
  const isLeft = (): boolean =>
    hasProcessTable() ? [...known.values()].some(isAlive) : leader !== undefined && send(-leader, 0);
  while ((await retryRead(isLeft)) && performance.now() < until) await setTimeout(POLL_MS);
}

function identityOf(row: Row): string {
  return `${row.pid}@${row.startedAt}`;
}

function isAlive(row: Row): boolean {
  return rowOf(row.pid)?.startedAt === row.startedAt;
}

function hasProcessTable(): boolean {
  return rowOf(process.pid) !== undefined;
}

/** Returns every process that is not a zombie; undefined on a system without /proc. */
function processTable(): readonly Row[] | undefined {
  return listProc()
    ?.map(rowOf)
    .filter((row) => row !== undefined);
}

function rowOf(pid: number): Row | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  const [, parent, group, session] = stat;
  const startedAt = stat[19] ?? "";
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startedAt };
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  // False if it has ended already, or we have no permission.
  return attempt(() => process.kill(target, signal)) ?? false;
}

import { randomUUID } from "node:crypto";
import { attempt } from "../../util/async/attempt.ts";
import { listProc, readProc } from "./proc.ts";

/** The variable that every started program has, and everything that it starts in turn. */
export const MARKER = "TOOLWRIGHT_CALL";

/** How often processes that were started meanwhile are looked at. */
const MAX_PASSES = 5;
const MAX_TRIED = 16;
/** Within this time after a start, the system does not reach the same pid again. */
const SAME_ROUND_MS = 10_000;

let own: string | undefined;
let count = 0;
/** The first program of this process. */
let first: Start | undefined;
/** The leaders of the process groups that run. */
const running = new Map<number, Start>();

interface Start {
  readonly pid: number;
  readonly at: number;
}

/**
 * Returns a new marker for a program. It begins with the marker of this process: if a Toolwright starts another, the first one also finds
 * what the second one has started.
 */
export function createMarker(): string {
  // Not a setting: it tells which program this process is.
  const above = process.env[MARKER];
  own ??= above === undefined ? randomUUID() : `${above}.${randomUUID()}`;
  count += 1;
  return `${own}.${count}`;
}

/**
 * Records that a program was started in a process group of its own: the group, and what has the program's marker, are killed when this
 * process exits. Returns a function that is called when the group has ended.
 */
export function recordStart(pid: number): () => void {
  const start = { pid, at: performance.now() };
  if (first === undefined) process.on("exit", killAll);
  first ??= start;
  running.set(pid, start);
  return () => void running.delete(pid);
}

function killAll(): void {
  for (const pid of running.keys()) kill(-pid);
  for (const pid of attempt(() => findMarked(own ?? "")) ?? []) kill(pid);
}

/**
 * Returns the pids of running processes that have this marker or one below it, whatever session and parent they have. The program with
 * the marker is that of `leader`, or any program of this process. Returns none on a system without /proc. Throws if no file can be opened.
 */
export function findMarked(marker: string, leader?: number): readonly number[] {
  // What another process left behind is older than the first program of this one.
  const isOwn = own !== undefined && `${marker}.`.startsWith(`${own}.`);
  const start = leader === undefined && isOwn ? first : running.get(leader ?? 0);
  const isMarked = (pid: number): boolean => pid !== process.pid && hasMarker(pid, marker);
  let last = readLastPid();
  const found = pidsFrom(earliestPid(start, last), last).filter(isMarked);
  // A process may have started another one and ended, before it was looked at.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = last + 1;
    last = readLastPid();
    if (last < next) break;
    found.push(...pidsFrom(next, last).filter(isMarked));
  }
  return [...new Set(found)];
}

/** Returns pids that may exist. A few are tried sooner than all are listed. */
function pidsFrom(from: number, to: number): readonly number[] {
  if (from > 0 && to - from < MAX_TRIED)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return listProc()?.filter((pid) => pid >= from) ?? [];
}

/** Returns the lowest pid that a process started later can have: pids increase until they start again at a low number. */
function earliestPid(start: Start | undefined, lastPid: number): number {
  if (start === undefined || performance.now() - start.at > SAME_ROUND_MS) return 0;
  return lastPid < start.pid ? 0 : start.pid;
}

function readLastPid(): number {
  return Number(readProc("loadavg")?.trim().split(" ").at(-1) ?? 0);
}

function hasMarker(pid: number, marker: string): boolean {
  const environment = `\0${readProc(`${pid}/environ`) ?? ""}`;
  const start = environment.indexOf(`\0${MARKER}=${marker}`);
  const next = environment[start + MARKER.length + marker.length + 2];
  return start >= 0 && (next === "." || next === "\0");
}

/** A process that has ended cannot be killed. */
function kill(pid: number): void {
  attempt(() => process.kill(pid, "SIGKILL"));
}

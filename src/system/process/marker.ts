import { attempt } from "../../util/async/attempt.ts";
import { setImmediate, setTimeout } from "node:timers/promises";
import { oneAtATime } from "../../util/async/one-at-a-time.ts";
import { randomId } from "../crypto.ts";
import { listProc, readEnvironment, readProc, retryRead } from "./proc.ts";

/** The variable that every started program has, and everything that it starts in turn. */
export const MARKER = "TOOLWRIGHT_CALL";

/** How often processes that were started meanwhile are looked at. */
const MAX_PASSES = 5;
/** The pause before a process whose program is being replaced is looked at again, and how often. */
const UNCLEAR_MS = 5;
const MAX_UNCLEAR = 1000;
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
  own ??= `${above === undefined ? "" : `${above}.`}${randomId()}`;
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
  // A process may have been forked just before its parent was killed.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const scan = attempt(() => scanFrom([first])) ?? new Map<number, string | undefined>();
    const { found, isUnclear } = select(scan, own ?? "");
    for (const pid of found) kill(pid);
    if (found.length === 0 && !isUnclear) break;
  }
}

/**
 * Returns the pids of running processes that have this marker or one below it, whatever session and parent they have; usually all, and
 * at least one if there are some. The program with the marker is that of `leader`, or any program of this process. Returns none on a
 * system without /proc. Rejects if no file can be opened.
 */
export async function findMarked(marker: string, leader?: number): Promise<readonly number[]> {
  // What another process left behind is older than the first program of this one.
  const isOwn = own !== undefined && `${marker}.`.startsWith(`${own}.`);
  const start = leader === undefined && isOwn ? first : running.get(leader ?? 0);
  for (let again = 0; ; again += 1) {
    const { found, isUnclear } = select(await scanSince(start), marker);
    if (found.length > 0 || !isUnclear || again === MAX_UNCLEAR) return found;
    await setTimeout(UNCLEAR_MS);
  }
}

/** Returns true if the system has started no process since the program of this leader: then it has left none behind. */
export function isLastStarted(leader: number): boolean {
  return isRecent(running.get(leader)) && attempt(readLastPid) === leader;
}

/** The markers of processes by pid, undefined while the program of the process is replaced: it may have one. */
type Scan = ReadonlyMap<number, string | undefined>;

/** The starts that the next scan must cover. */
let awaited: (Start | undefined)[] = [];
/** Those that ask while a scan is under way share the next one: with many processes a scan takes some time. */
const shared = oneAtATime(async () => {
  const starts = awaited;
  awaited = [];
  await setImmediate();
  return retryRead(() => scanFrom(starts)).catch((error: unknown) => ({ error }));
});

async function scanSince(start: Start | undefined): Promise<Scan> {
  awaited.push(start);
  const scan = await shared.run();
  if ("error" in scan) throw scan.error;
  return scan;
}

function scanFrom(starts: readonly (Start | undefined)[]): Scan {
  const scan = new Map<number, string | undefined>();
  const look = (pids: readonly number[]): void => {
    for (const pid of pids) {
      const environment = readEnvironment(pid);
      const marker = environment === undefined ? undefined : markerIn(environment);
      if (marker !== "" && pid !== process.pid) scan.set(pid, marker);
    }
  };
  let last = readLastPid();
  // Without a start, all are looked at.
  const from = starts.length === 0 ? 0 : Math.min(...starts.map((start) => earliestPid(start, last)));
  look(pidsFrom(from, last));
  // A process may have started another one and ended, before it was looked at.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = last;
    last = readLastPid();
    if (last === before) break;
    look(pidsFrom(last < before ? 0 : before + 1, last));
  }
  return scan;
}

/** A marker begins with those of the processes above. */
function select(
  scan: Scan,
  marker: string,
): { readonly found: readonly number[]; readonly isUnclear: boolean } {
  const markers = [...scan];
  const pids = markers.flatMap(([pid, one]) => (`.${one}.`.includes(`.${marker}.`) ? pid : []));
  return { found: pids, isUnclear: markers.some(([, one]) => one === undefined) };
}

/** Returns pids that may exist. A few are tried sooner than all are listed. */
function pidsFrom(from: number, to: number): readonly number[] {
  if (from > 0 && to - from < MAX_TRIED)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return listProc()?.filter((pid) => pid >= from) ?? [];
}

/** Returns the lowest pid that a process started later can have: pids increase until they start again at a low number. */
function earliestPid(start: Start | undefined, lastPid: number): number {
  return start === undefined || !isRecent(start) || lastPid < start.pid ? 0 : start.pid;
}

function isRecent(start: Start | undefined): boolean {
  return start !== undefined && performance.now() - start.at < SAME_ROUND_MS;
}

function readLastPid(): number {
  return Number(readProc("loadavg")?.trim().split(" ").at(-1) ?? 0);
}

/** Returns an empty text if there is none. */
function markerIn(environment: string): string {
  return VALUE.exec(environment)?.[1] ?? "";
}

const VALUE = new RegExp(`(?:^|\\0)${MARKER}=([^\\0]*)`);

/** A process that has ended cannot be killed. */
function kill(pid: number): void {
  attempt(() => process.kill(pid, "SIGKILL"));
}

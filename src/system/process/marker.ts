import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

/** The variable that every started program has, and everything that it starts in turn. */
export const MARKER = "TOOLWRIGHT_CALL";

let own: string | undefined;
let count = 0;
let firstPid: number | undefined;

/** Returns a new marker for a program, below the marker of a group of programs or that of this process. */
export function createMarker(above?: string): string {
  own ??= randomUUID();
  count += 1;
  return `${above ?? own}.${count}`;
}

/** Records that a program with a marker was started: what it leaves behind is killed when this process exits. */
export function recordStart(pid: number): void {
  if (firstPid !== undefined) return;
  firstPid = pid;
  process.on("exit", () => {
    for (const left of findMarked(own ?? "", pid)) kill(left);
  });
}

/**
 * Returns the pids of running processes that have this marker or one below it, whatever session and parent they have. Only
 * processes that may have started after `since` are looked at. Returns none on a system without /proc.
 */
export function findMarked(marker: string, since = firstPid ?? 0): readonly number[] {
  try {
    // Pids increase until they start again at a low number.
    const lastPid = Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
    const from = lastPid < since ? 0 : since;
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid >= from && pid !== process.pid && hasMarker(pid, marker));
  } catch {
    return [];
  }
}

function hasMarker(pid: number, marker: string): boolean {
  try {
    const environment = `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
    const start = environment.indexOf(`\0${MARKER}=${marker}`);
    const next = environment[start + MARKER.length + marker.length + 2];
    return start >= 0 && (next === "." || next === "\0");
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

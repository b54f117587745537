import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** The time that a process may take to end after its parent. */
const LEAVING_MS = 500;
const POLL_MS = 20;

/**
 * Kills all processes with this mark in their environment, and returns their command lines.
 * Returns undefined on a system without /proc.
 */
export async function endLeftBehind(mark: string): Promise<readonly string[] | undefined> {
  if (readOf("self", "environ") === undefined) return undefined;
  const until = performance.now() + LEAVING_MS;
  let left = withMark(mark);
  while (left.length > 0 && performance.now() < until) {
    await setTimeout(POLL_MS);
    left = withMark(mark);
  }
  const commands = left.map((pid) => (readOf(pid, "cmdline") ?? "").replaceAll("\0", " ").trim());
  for (const pid of left) end(Number(pid));
  return commands;
}

function withMark(mark: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    return readOf(name, "environ")?.split("\0").includes(mark) === true;
  });
}

/** Returns an empty text for a zombie. */
function readOf(pid: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // It is gone, or not ours.
    return undefined;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

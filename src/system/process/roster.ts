import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../paths/file-fault.ts";
import type { ProcessIdentity } from "./identity.ts";
import { currentProcess, parsePs, parseStat } from "./identity.ts";

/** Where, in the state folder, a running process is a small file. */
export const PROCESS_FOLDER = "processes";

/** What is written about a running process: who started it, and which it is. */
export interface RosterRecord {
  readonly owner: ProcessIdentity;
  readonly child: ProcessIdentity;
}

/** The processes that must not outlive this one. */
export interface Roster {
  /** Notes a process that leads its own group; gives back the way to strike it off, once it has ended. */
  enter(pid: number): () => void;
}

/**
 * Makes a roster. What is on it when this process exits is killed. With a state folder each process is also a small
 * file there, from which `endOrphans` ends it after a crash; without one nothing is written. It never fails a start: a
 * record that cannot be written costs the tidying up after a crash, nothing else.
 */
export function createRoster(stateFolder?: string): Roster {
  const running = new Set<number>();
  let owner: ProcessIdentity | undefined;
  const killAll = (): void => {
    for (const pid of running) killGroup(pid);
  };
  const recordOf = (pid: number, start: string | null): RosterRecord => {
    owner ??= currentProcess();
    return { owner, child: { pid, start, boot: owner.boot } };
  };
  return {
    enter(pid) {
      if (running.size === 0) process.on("exit", killAll);
      running.add(pid);
      const path = stateFolder === undefined ? undefined : pathOf(stateFolder, pid);
      if (path !== undefined)
        note(path, pid, (start) => (running.has(pid) ? recordOf(pid, start) : undefined));
      return () => {
        if (!running.delete(pid)) return;
        if (running.size === 0) process.off("exit", killAll);
        if (path !== undefined) forget(path);
      };
    },
  };
}

function pathOf(stateFolder: string, pid: number): string {
  return join(stateFolder, PROCESS_FOLDER, `${process.pid}-${pid}.json`);
}

type ToRecord = (start: string | null) => RosterRecord | undefined;

function note(path: string, pid: number, toRecord: ToRecord): void {
  const start = readStart(pid);
  if (start !== undefined) write(path, toRecord(start));
  else askStart(pid, (told) => write(path, toRecord(told)));
}

/** Undefined on a system without /proc. */
function readStart(pid: number): string | null | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
}

function askStart(pid: number, tell: (start: string | null) => void): void {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const environment = { LC_ALL: "C", PATH: "/bin:/usr/bin" };
  execFile("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env: environment }, (_error, stdout) => {
    tell(parsePs(stdout));
  });
}

function write(path: string, record: RosterRecord | undefined): void {
  if (record === undefined) return;
  const save = (): void => writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  try {
    save();
  } catch (error) {
    if (systemCode(error) === "ENOENT") afterMakingFolder(path, save);
  }
}

function afterMakingFolder(path: string, save: () => void): void {
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    save();
  } catch {
    // A folder that cannot be written to: see `createRoster`.
  }
}

function forget(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never written; or it stays and names a process that has ended, until `endOrphans` takes it away.
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

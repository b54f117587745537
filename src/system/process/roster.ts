import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../paths/file-fault.ts";
import { currentProcess, parsePs, parseStat, type ProcessIdentity } from "./identity.ts";

/** The folder, in the state folder, with a file for each running process. */
export const PROCESS_FOLDER = "processes";

/** The record of a running process and its owner. */
export interface RosterRecord {
  readonly owner: ProcessIdentity;
  readonly child: ProcessIdentity;
}

/** The child processes that must not outlive this process. */
export interface Roster {
  /** Registers a process group leader. Returns a function that unregisters it, to be called when it has ended. */
  register(pid: number): () => void;
}

/**
 * Creates a roster. Registered processes are killed when this process exits. With a state folder, each process is also
 * recorded there, so that `endOrphans` can kill it after a crash. Never throws: if a record cannot be written, only the
 * cleanup after a crash is lost.
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
    register(pid) {
      if (running.size === 0) process.on("exit", killAll);
      running.add(pid);
      const path = stateFolder === undefined ? undefined : pathOf(stateFolder, pid);
      if (path !== undefined)
        saveRecord(path, pid, (start) => (running.has(pid) ? recordOf(pid, start) : undefined));
      return () => {
        if (!running.delete(pid)) return;
        if (running.size === 0) process.off("exit", killAll);
        if (path !== undefined) removeRecord(path);
      };
    },
  };
}

function pathOf(stateFolder: string, pid: number): string {
  return join(stateFolder, PROCESS_FOLDER, `${process.pid}-${pid}.json`);
}

type ToRecord = (start: string | null) => RosterRecord | undefined;

function saveRecord(path: string, pid: number, toRecord: ToRecord): void {
  const start = readStart(pid);
  if (start !== undefined) write(path, toRecord(start));
  else readStartFromPs(pid, (found) => write(path, toRecord(found)));
}

/** Returns undefined on a system without /proc. */
function readStart(pid: number): string | null | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
}

function readStartFromPs(pid: number, onStart: (start: string | null) => void): void {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const environment = { LC_ALL: "C", PATH: "/bin:/usr/bin" };
  execFile("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env: environment }, (_error, stdout) => {
    onStart(parsePs(stdout));
  });
}

function write(path: string, record: RosterRecord | undefined): void {
  if (record === undefined) return;
  const save = (): void => writeFileSync(path, JSON.stringify(record), { mode: 0o600 });
  try {
    save();
  } catch (error) {
    if (systemCode(error) === "ENOENT") saveInNewFolder(path, save);
  }
}

function saveInNewFolder(path: string, save: () => void): void {
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    save();
  } catch {
    // The folder is not writable: see `createRoster`.
  }
}

function removeRecord(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never written, or `endOrphans` removes it later.
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

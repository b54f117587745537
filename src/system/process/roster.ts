import { appendFileSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../paths/file-fault.ts";
import { currentProcess, parsePs, parseStat, type ProcessIdentity } from "./identity.ts";
import { readProc } from "./proc.ts";

/** The folder, in the state folder, with a file for each running program. */
export const PROCESS_FOLDER = "processes";

/** The record of a program: a line of JSON before it is started, and one more with the child after. */
export interface RosterRecord {
  readonly owner: ProcessIdentity;
  readonly marker?: string;
  readonly child?: ProcessIdentity;
}

/** Records the programs that must not outlive this process. */
export interface Roster {
  /** Records a program that is about to be started. */
  add(marker: string): RosterEntry;
}

export interface RosterEntry {
  /** Adds the pid of the program. */
  started(pid: number): void;
  /** Removes the record; called when nothing of the program runs. */
  ended(): void;
}

/**
 * Creates a roster in a state folder, so that `endOrphans` finds the programs after a crash, even one between the start of a program and
 * its record. Never throws: if a record cannot be written, only the cleanup after a crash is lost. Without a folder, records nothing.
 */
export function createRoster(stateFolder?: string): Roster {
  if (stateFolder === undefined) return { add: () => NOT_RECORDED };
  let owner: ProcessIdentity | undefined;
  return {
    add(marker) {
      owner ??= currentProcess();
      const path = join(stateFolder, PROCESS_FOLDER, `${marker.split(".").slice(-2).join(".")}.json`);
      let isOver = false;
      write(path, { owner, marker });
      return {
        started(pid) {
          readStart(pid, (start) => {
            if (!isOver) append(path, { child: { pid, start, boot: owner?.boot ?? null } });
          });
        },
        ended() {
          isOver = true;
          remove(path);
        },
      };
    },
  };
}

const NOT_RECORDED: RosterEntry = { started: () => undefined, ended: () => undefined };

function readStart(pid: number, onStart: (start: string | null) => void): void {
  try {
    const stat = readProc(`${pid}/stat`);
    if (stat === undefined) readStartFromPs(pid, onStart);
    else onStart(parseStat(stat));
  } catch {
    // No file can be opened: the record has its marker.
  }
}

function readStartFromPs(pid: number, onStart: (start: string | null) => void): void {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const environment = { LC_ALL: "C", PATH: "/bin:/usr/bin" };
  execFile("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env: environment }, (_error, stdout) => {
    onStart(parsePs(stdout));
  });
}

function write(path: string, record: Pick<RosterRecord, "owner" | "marker">): void {
  const save = (): void => writeFileSync(path, toLine(record), { mode: 0o600 });
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

function append(path: string, record: Pick<RosterRecord, "child">): void {
  try {
    appendFileSync(path, toLine(record), { mode: 0o600 });
  } catch {
    // It has its marker.
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never written, or `endOrphans` removes it later.
  }
}

function toLine(record: Partial<RosterRecord>): string {
  return `${JSON.stringify(record)}\n`;
}

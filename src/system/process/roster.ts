import { closeSync, mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { systemCode } from "../paths/file-fault.ts";
import { currentProcess, parsePs, parseStat, type ProcessIdentity } from "./identity.ts";
import { identityName, parseIdentityName } from "./identity-name.ts";
import { readProc } from "./proc.ts";

/** The folder, in the state folder, with a file for each running program. */
export const PROCESS_FOLDER = "processes";

/** What the name of a record says: a full disk may refuse the content of a file, but hardly its name. */
export interface RosterRecord {
  readonly owner: ProcessIdentity;
  /** The last two parts of the marker, which no other program has. */
  readonly marker: string;
}

/** The content of a record, once the program is started. */
export type RosterChild = Pick<ProcessIdentity, "pid" | "start">;

/** Returns undefined for a name that is not that of a record. */
export function parseRecordName(name: string): RosterRecord | undefined {
  const [, own = "", marker = ""] = /^([\w-]+)\.([\w-]+\.\d+)$/.exec(name) ?? [];
  const owner = parseIdentityName(own);
  return owner && { owner, marker };
}

/** Records the programs that must not outlive this process. */
export interface Roster {
  /** Records a program that is about to be started. */
  add(marker: string): RosterEntry;
}

/** The record of one program. */
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
  let owner: string | undefined;
  return {
    add(marker) {
      owner ??= identityName(currentProcess());
      const name = `${owner}.${marker.split(".").slice(-2).join(".")}`;
      const path = join(stateFolder, PROCESS_FOLDER, name);
      let isOver = false;
      create(path);
      return {
        started(pid) {
          readStart(pid, (start) => {
            const child = JSON.stringify({ pid, start } satisfies RosterChild);
            // Appends to the empty file: some file systems sync a truncated and rewritten file immediately. If it fails, the name of the
            // file still has the marker.
            if (!isOver) attempt(() => writeFileSync(path, child, { mode: 0o600, flag: "a" }));
          });
        },
        ended() {
          isOver = true;
          // `endOrphans` removes a file that is left.
          attempt(() => unlinkSync(path));
        },
      };
    },
  };
}

const NOT_RECORDED: RosterEntry = { started: () => undefined, ended: () => undefined };

function readStart(pid: number, onStart: (start: string | null) => void): void {
  // If no file can be opened, the record has its marker.
  attempt(() => {
    const stat = readProc(`${pid}/stat`);
    if (stat === undefined) readStartFromPs(pid, onStart);
    else onStart(parseStat(stat));
  });
}

function readStartFromPs(pid: number, onStart: (start: string | null) => void): void {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const environment = { LC_ALL: "C", PATH: "/bin:/usr/bin" };
  execFile("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env: environment }, (_error, stdout) => {
    onStart(parsePs(stdout));
  });
}

function create(path: string): void {
  const make = (): void => closeSync(openSync(path, "w", 0o600));
  try {
    make();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return;
    // If the folder is not writable: see `createRoster`.
    attempt(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      make();
    });
  }
}

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import type { CallRow } from "./call-row.ts";
import { answerLine, readLines, rowLine } from "./spool-lines.ts";

/** Where calls lie that the database does not have yet: what a process that is killed has written there outlives it. */
export interface Spool {
  /** A place for a call. */
  enter(): SpooledCall;
  /** What is written from now on goes to another place; the function that it gives back forgets what was written before. */
  turn(): () => void;
  /** Everything is in the database. */
  close(): void;
}

export interface SpooledCall {
  /** True where it is written, as far as the operating system is concerned: it outlives the process. Never throws. */
  write(row: CallRow): boolean;
}

/** Whose calls they are: a process, and its number among the owners of calls. */
export interface Owner extends ProcessIdentity {
  readonly id: number;
}

/** The spool of one journal of a process. Nothing is made before the first call. */
export function openSpool(folder: string, owner: Owner): Spool {
  const files = [0, 1].map((side) => createSpoolFile(folder, join(folder, `${nameOf(owner)}.${side}.jsonl`)));
  let calls = 0;
  let turns = 0;
  const current = (): SpoolFile | undefined => files[turns % 2];
  return {
    enter() {
      calls += 1;
      const number = calls;
      /** After how many turns its row was written: then it is in the same file. */
      let writtenAt = -1;
      return {
        write(row) {
          const isAnswer = writtenAt === turns && row.answer !== null;
          const line = isAnswer ? answerLine(number, row.answer) : rowLine(number, row);
          const isWritten = current()?.write(line) === true;
          writtenAt = isWritten ? turns : -1;
          return isWritten;
        },
      };
    },
    turn() {
      const before = current();
      turns += 1;
      return () => before?.remove();
    },
    close() {
      for (const file of files) file.remove();
    },
  };
}

/** The last that is known of each call of a process that has ended. */
export function rowsLeftBy(folder: string, owner: Owner): readonly CallRow[] {
  const rows = new Map<string, CallRow>();
  const own = filesIn(folder).filter((file) => file.startsWith(`${nameOf(owner)}.`));
  for (const row of own.flatMap((file) => readLines(readFileSync(join(folder, file), "utf8")))) {
    const key = JSON.stringify([row.callId, row.receivedAt]);
    if (rank(row) >= rank(rows.get(key))) rows.set(key, row);
  }
  return [...rows.values()];
}

/** Removes the spools of those whose calls are all in the database; whoever lives is left alone. */
export function forgetLeftover(folder: string, isSettled: (owner: Owner) => boolean): void {
  for (const file of filesIn(folder)) {
    const owner = ownerOf(file);
    if (owner !== undefined && isSettled(owner)) rmSync(join(folder, file), { force: true });
  }
}

/** How far a call had come: the two files of a spool are read in any order. */
function rank(row: CallRow | undefined): number {
  if (row === undefined) return 0;
  return row.state === "open" ? 1 : 2;
}

interface SpoolFile {
  write(line: string): boolean;
  remove(): void;
}

function createSpoolFile(folder: string, path: string): SpoolFile {
  let file: number | undefined;
  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(path, "a", 0o600);
  };
  return {
    write(line) {
      try {
        file ??= open();
        return writeSync(file, line) === Buffer.byteLength(line);
      } catch {
        return false;
      }
    },
    // Removed and not emptied: a process that is reading the file must not find new lines in the middle of old ones.
    remove() {
      // A file that cannot be removed is used further: its calls are in the database too, and no reader counts a call twice.
      if (file === undefined || !isDone(() => rmSync(path, { force: true }))) return;
      const removed = file;
      file = undefined;
      isDone(() => closeSync(removed));
    },
  };
}

function isDone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function nameOf({ pid, start, boot, id }: Owner): string {
  return [pid, start ?? "", boot ?? "", id]
    .map((part) => encodeURIComponent(part).replaceAll(".", "%2E"))
    .join(".");
}

/** Undefined for a file that is none of ours. */
function ownerOf(file: string): Owner | undefined {
  const [, pid = "", start = "", boot = "", id = ""] = OUR_FILE.exec(file) ?? [];
  if (pid === "") return undefined;
  const toPart = (text: string): string | null => (text === "" ? null : decodeURIComponent(text));
  return { pid: Number(pid), start: toPart(start), boot: toPart(boot), id: Number(id) };
}

const PART = "(?:[^.%]|%[0-9A-F]{2})*";
const OUR_FILE = new RegExp(`^(\\d+)\\.(${PART})\\.(${PART})\\.(\\d+)\\.[01]\\.jsonl$`);

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  } catch {
    return [];
  }
}

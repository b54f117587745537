import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import type { CallRow } from "./call-row.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { attempt } from "../../util/async/attempt.ts";
import { counted } from "../../util/text/words.ts";
import { damagedLines, readLines, rowLine } from "./spool-lines.ts";

/** Stores calls that the database does not have yet. What was written there is visible to other processes, and outlives this one. */
export type Spool = ReturnType<typeof openSpool>;

export interface SpooledCall {
  /** The call's number among those of its owner. */
  readonly number: number;
  /** The turn in which its row was written: until the next one, the row is in the current file. */
  writtenAt: number;
  /** Returns true if the operating system has the row: other processes can read it, and it outlives this one. Never throws. */
  write(row: CallRow): boolean;
}

export interface SpoolWrite {
  readonly spooled: SpooledCall;
  readonly row: CallRow;
}

/** The owner of calls: a process, and the number under which one of its journals is registered. */
export interface Owner extends ProcessIdentity {
  readonly id: number;
}

/** Identifies a call among the calls of all processes. */
export interface CallKey {
  /** The owner's id. */
  readonly owner: number;
  /** Counts the calls of one owner, in the order in which it received them. */
  readonly number: number;
}

export interface SpooledRow extends CallKey {
  readonly row: CallRow;
}

/** Opens the spool of one journal. Creates no file before the first write. */
export function openSpool(folder: string, owner: Owner) {
  const files = pathsOf(folder, owner).map((path) => createSpoolFile(folder, path));
  let turns = 0;
  const current = () => files[turns % 2];
  /** Returns the answer alone, if the row of the call is in the same file. */
  const lineOf = ({ spooled: { number, writtenAt }, row }: SpoolWrite): string =>
    writtenAt === turns && row.answer !== null ? `\n[${number},${row.answer}]` : rowLine(number, row);
  const writeAll = (writes: readonly SpoolWrite[]): boolean => {
    const isWritten = current()?.write(writes.map(lineOf)) === true;
    for (const { spooled } of writes) spooled.writtenAt = isWritten ? turns : -1;
    return isWritten;
  };
  return {
    /** Makes a place for the call with this number. */
    enter: (number: number): SpooledCall => ({
      number,
      writtenAt: -1,
      write(row) {
        return writeAll([{ spooled: this, row }]);
      },
    }),
    /** Writes the rows of several calls with one system call. Returns true if the operating system has all of them. Never throws. */
    writeAll,
    /** Sends later writes to another file. The returned function removes what was written before; call it once the database has it. */
    turn(): () => void {
      const before = current();
      turns += 1;
      return () => before?.remove();
    },
    /** Removes the files; call it once the database has everything. */
    close(): void {
      for (const file of files) file.remove();
    },
  };
}

/**
 * Returns the latest row of each call in an owner's spool, in the order of receipt, whether the owner is alive or not. A call that the
 * owner has recorded before this is called is in the result or, if the owner has removed it since, in the database.
 */
export function readSpool(folder: string, owner: Owner): readonly SpooledRow[] {
  const rows = new Map<number, CallRow>();
  for (const [number, row] of pathsOf(folder, owner).flatMap((path) => [...readLines(readIfPresent(path))])) {
    if (rank(row) >= rank(rows.get(number))) rows.set(number, row);
  }
  return [...rows]
    .map(([number, row]) => ({ owner: owner.id, number, row }))
    .toSorted((left, right) => left.number - right.number);
}

/** Returns the latest rows of the spools with these names, of all owners. Skips other files. */
export function readSpoolFiles(folder: string, names: readonly string[]): readonly SpooledRow[] {
  const owners = new Map(names.flatMap((name) => ownerOf(name) ?? []).map((owner) => [nameOf(owner), owner]));
  return [...owners.values()].flatMap((owner) => readSpool(folder, owner));
}

/**
 * Removes the spools of owners whose calls are all in the database; never that of a live process. Sets damaged lines aside, and returns
 * a sentence for each file that had some.
 */
export function removeSettledSpools(folder: string, isSettled: (owner: Owner) => boolean): readonly string[] {
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((file) => {
    const owner = ownerOf(file);
    if (owner === undefined || !isSettled(owner)) return [];
    const path = join(folder, file);
    const damaged = damagedLines(readIfPresent(path));
    const aside = `${path}.damaged`;
    if (damaged.length > 0) writeFileSync(aside, damaged.join("\n"), { mode: 0o600 });
    rmSync(path, { force: true });
    const count = counted(damaged.length, "damaged line");
    return damaged.length === 0
      ? []
      : [`the journal of a process that has ended had ${count}, now in ${aside}`];
  });
}

/** Orders the rows of a call by progress: the two files of a spool are read in any order. */
function rank(row: CallRow | undefined): number {
  if (row === undefined) return 0;
  return row.state === "open" ? 1 : 2;
}

function createSpoolFile(folder: string, path: string) {
  let file: number | undefined;
  let inode: number | undefined;
  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const opened = openSync(path, "a", 0o600);
    inode = fstatSync(opened).ino;
    return opened;
  };
  const removeOwn = (): void => {
    // Another store may have been created in the folder since, with a file of the same name.
    if (statSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
  };
  return {
    write(lines: readonly string[]): boolean {
      try {
        file ??= open();
        const text = lines.join("");
        const writtenBytes = writeSync(file, text);
        if (writtenBytes === Buffer.byteLength(text)) return true;
        // The caller is told that none of the calls is there.
        ftruncateSync(file, fstatSync(file).size - writtenBytes);
        return false;
      } catch {
        return false;
      }
    },
    // Removed and not emptied: a process that is reading the file must not find new lines in the middle of old ones.
    remove(): void {
      // A file that cannot be removed is used further: its calls are in the database too, and no reader counts a call twice.
      if (file === undefined || !isDone(removeOwn)) return;
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

/** While one group of calls is written to the database, the next calls go to the other file. */
function pathsOf(folder: string, owner: Owner): readonly string[] {
  return [0, 1].map((side) => join(folder, `${nameOf(owner)}.${side}.jsonl`));
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw error;
  }
}

function nameOf({ pid, start, boot, id }: Owner): string {
  return [pid, start ?? "", boot ?? "", id]
    .map((part) => encodeURIComponent(part).replaceAll(".", "%2E"))
    .join(".");
}

/** Returns undefined for a file that is not a spool. */
function ownerOf(file: string): Owner | undefined {
  const [, pid = "", start = "", boot = "", id = ""] = OUR_FILE.exec(file) ?? [];
  if (pid === "") return undefined;
  const toPart = (text: string): string | null => (text === "" ? null : decodeURIComponent(text));
  return { pid: Number(pid), start: toPart(start), boot: toPart(boot), id: Number(id) };
}

const PART = "(?:[^.%]|%[0-9A-F]{2})*";
const OUR_FILE = new RegExp(`^(\\d+)\\.(${PART})\\.(${PART})\\.(\\d+)\\.[01]\\.jsonl$`);

import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { isObject } from "../../core/json.ts";
import { ignoreMissing } from "../artifacts/artifact-file.ts";
import { databasePath } from "../open-store.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { sync } from "./backup-store.ts";
import { asideName, DATABASE_ENDINGS, setAside } from "./set-aside.ts";

/** Says that a recovery has begun to put a new store in place, and where the damaged one is. */
const MARK = "recovering.json";

/** Returns where a recovery makes the new database, which is moved from there in one step. */
export function stagedDatabase(folder: string): string {
  return `${databasePath(folder)}.recovering`;
}

/**
 * Sets the damaged store aside and puts the staged database in its place. Returns the folder of the damaged one. A recovery that is killed from now on is
 * gone on with by the next one.
 */
export async function beginRecovery(folder: string): Promise<string> {
  const aside = asideName(folder, "damaged");
  try {
    writeFileSync(join(folder, MARK), JSON.stringify({ aside: basename(aside) }), { mode: 0o600 });
    for (const path of [join(folder, MARK), folder]) await sync(path);
    await setAside(folder, aside);
    await rename(stagedDatabase(folder), databasePath(folder));
    await sync(folder);
    return aside;
  } catch (error) {
    await settleRecovery(folder);
    throw error;
  }
}

export async function endRecovery(folder: string): Promise<void> {
  rmSync(join(folder, MARK), { force: true });
  await sync(folder);
}

/** Returns where the damaged store is whose recovery has put a new one in place and did not end; undefined if there is none. */
export async function pendingRecovery(folder: string): Promise<string | undefined> {
  const aside = await readMark(folder);
  if (aside === undefined || !existsSync(databasePath(aside))) return undefined;
  // The new one is staged until it is in place, on every file system; one without links has a copy of the damaged one aside.
  return existsSync(stagedDatabase(folder)) ? undefined : aside;
}

/** As `pendingRecovery`; a recovery that was killed before the new store was in place is undone. */
export async function settleRecovery(folder: string): Promise<string | undefined> {
  const pending = await pendingRecovery(folder);
  if (pending !== undefined || !existsSync(join(folder, MARK))) return pending;
  const aside = await readMark(folder);
  if (aside !== undefined && existsSync(aside)) {
    for (const name of [...DATABASE_ENDINGS.map((ending) => `toolwright.db${ending}`), "spool"]) {
      const [from, to] = [join(aside, name), join(folder, name)];
      // The files beside the database belong to it again.
      if (existsSync(from) && !existsSync(to)) renameSync(from, to);
    }
    rmSync(aside, { recursive: true, force: true });
  }
  await endRecovery(folder);
  return undefined;
}

/** Returns the folder that the mark names. It is removed with all that is in it: only one in the folder of the store is believed. */
async function readMark(folder: string): Promise<string | undefined> {
  const mark = parseJson((await ignoreMissing(readFile(join(folder, MARK), "utf8"))) ?? "");
  const aside = isObject(mark) ? mark["aside"] : undefined;
  return typeof aside === "string" && /^damaged-[\w-]+$/.test(aside) ? join(folder, aside) : undefined;
}

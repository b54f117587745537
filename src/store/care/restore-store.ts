import { constants, existsSync } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { parseArtifactName } from "../artifacts/artifact-names.ts";
import { isLocked, makeFolder, openDatabase, toUnavailable } from "../database/database.ts";
import { inTransaction } from "../database/transaction.ts";
import { createCallTable } from "../journal/call-table.ts";
import { databasePath, openStore } from "../open-store.ts";
import { sync } from "./backup-store.ts";
import { inUse, usersOf } from "./check-store.ts";
import { damageOf } from "./damage.ts";
import { damagedFiles, readManifest, type Manifest } from "./manifest.ts";
import { endRecovery } from "./recovery-mark.ts";
import { asideName, lockCare, setAside } from "./set-aside.ts";

export interface Restored {
  readonly manifest: Manifest;
  /** Where the store is that was there before; undefined if there was none. */
  readonly before: string | undefined;
}

/**
 * Puts a backup in the place of a store. Verifies it first, and throws without a change if it is not whole or the store is in use. The
 * store that was there before stays in a folder beside it. Killed at any moment, one of the two stores is in place.
 */
export async function restoreStore(folder: string, source: string): Promise<Restored> {
  const manifest = await readManifest(source);
  const { files } = manifest;
  const listed = files.length === 0 ? [`${DATABASE} is not listed`] : files.flatMap(foreignFile);
  const problems = [...listed, ...(await damagedFiles(source, manifest))];
  if (problems.length > 0)
    throw new ToolError("INVALID_INPUT", `the backup ${source} is damaged: ${problems.join(", ")}`, {
      hint: "nothing was changed; use another backup",
    });
  makeFolder(folder);
  const unlock = lockCare(folder);
  try {
    return { manifest, before: await putInPlace(folder, source, manifest) };
  } catch (error) {
    throw toUnavailable(
      error,
      `the backup ${source} cannot be put in place; the store ${folder} was not replaced`,
    );
  } finally {
    unlock();
  }
}

/** Returns where the store is that was there before. */
async function putInPlace(folder: string, source: string, manifest: Manifest): Promise<string | undefined> {
  const path = databasePath(folder);
  await settle(folder);
  const staged = `${path}.restoring`;
  await stage(databasePath(source), staged);
  await copyArtifacts(source, folder, manifest);
  const before = existsSync(path) ? await setAside(folder, asideName(folder, "before-restore")) : undefined;
  await rename(staged, path);
  await sync(folder);
  // The calls that a recovery lacks are not those of this store.
  await endRecovery(folder);
  return before;
}

/** A copy may come from others: its first file is the database, the others are artifacts. */
function foreignFile({ path }: { readonly path: string }, index: number): readonly string[] {
  const isArtifact = path.startsWith("artifacts/") && parseArtifactName(path.slice(10)) !== undefined;
  return (index === 0 ? path === DATABASE : isArtifact) ? [] : [`${path} is no file of a store`];
}

const DATABASE = "toolwright.db";

/** Writes what only the spools of the present store have to its database. Throws if other processes use the store; a damaged one stays as it is. */
async function settle(folder: string): Promise<void> {
  if (!existsSync(databasePath(folder))) return;
  const users = usersOf(folder) ?? [];
  if (users.length > 0) throw inUse(folder, users);
  try {
    await (await openStore({ folder })).close();
  } catch (error) {
    // A damaged store is replaced as it is. What writes to it now would write to a store that is not in place any more.
    if (error instanceof ToolError && isLocked(error.cause)) throw error;
  }
}

/** Copies the database of a backup, migrates it, and settles the calls that were open when it was made. */
async function stage(source: string, staged: string): Promise<void> {
  await rm(staged, { force: true });
  await copyFile(source, staged);
  const database = await openDatabase(staged);
  try {
    const [problem] = damageOf(database);
    if (problem !== undefined)
      throw new ToolError("INVALID_INPUT", `the backup ${source} is damaged: ${problem}`);
    const table = createCallTable(database);
    inTransaction(database, () => table.interrupt(() => true, Date.now()));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
  await sync(staged);
}

async function copyArtifacts(source: string, folder: string, { files }: Manifest): Promise<void> {
  await mkdir(join(folder, "artifacts"), { recursive: true, mode: 0o700 });
  for (const { path } of files.slice(1)) {
    const target = join(folder, path);
    if (existsSync(target)) continue;
    const part = `${target}.restoring`;
    await copyFile(join(source, path), part, constants.COPYFILE_FICLONE);
    await sync(part);
    await rename(part, target);
  }
  await sync(join(folder, "artifacts"));
}

import { realpathSync } from "node:fs";
import { copyFile, mkdir, open, readdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { loadSqlite } from "../../system/sqlite.ts";
import { ignoreMissing } from "../artifacts/artifact-file.ts";
import { parseArtifactName } from "../artifacts/artifact-names.ts";
import { openDatabase, toUnavailable } from "../database/database.ts";
import { inTransaction } from "../database/transaction.ts";
import { createCallTable } from "../journal/call-table.ts";
import { readSpool, type Owner, type SpooledRow } from "../journal/spool.ts";
import { attempt } from "../../util/async/attempt.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { knownVersion } from "../database/migrate.ts";
import { databasePath } from "../open-store.ts";
import { damageOf } from "./damage.ts";
import { openReadable, unlessDamaged } from "./open-readable.ts";
import { describeFile, MANIFEST, type CopiedFile, type Manifest } from "./manifest.ts";

/** Larger than any database: the copy is made in one step, which no write of another process makes begin again. */
const ALL_PAGES = 2 ** 30;
const ARTIFACTS = "artifacts";

/**
 * Writes a copy of a store to a new folder, while other processes use the store. It has every call that was answered when the copy began. Throws,
 * and leaves a folder without a manifest, if the store or the copy is damaged.
 */
export async function backupStore(folder: string, target: string): Promise<Manifest> {
  const createdAt = Date.now();
  refuseInside(folder, target);
  const path = databasePath(folder);
  const database = openReadable(path);
  if (database === undefined) throw damaged(`${path} is no database any more`);
  try {
    knownVersion(database);
    await makeNewFolder(target);
    // Read first: what leaves a spool is in the database then.
    const spooled = unlessDamaged(
      path,
      () => spooledRows(database, join(folder, "spool")),
      (error) => {
        throw damaged(errorMessage(error));
      },
    );
    await loadSqlite().backup(database, databasePath(target), { rate: ALL_PAGES });
    await completeCopy(databasePath(target), spooled);
  } catch (error) {
    throw toUnavailable(error, `the store ${folder} cannot be copied`);
  } finally {
    database.close();
  }
  const paths = ["toolwright.db", ...(await copyArtifacts(folder, target))];
  const files: CopiedFile[] = [];
  for (const path of paths) {
    await sync(join(target, path));
    files.push(await describeFile(target, path));
  }
  const manifest: Manifest = { format: 1, createdAt, files };
  const file = await open(join(target, MANIFEST), "wx", 0o600);
  await file.writeFile(`${JSON.stringify(manifest, undefined, 2)}\n`);
  await file.sync();
  await file.close();
  for (const path of [join(target, ARTIFACTS), target, dirname(resolve(target))]) await sync(path);
  return manifest;
}

function damaged(problem: string): ToolError {
  return new ToolError("UNAVAILABLE", `the store is damaged: ${problem}`, {
    hint: "toolwright store recover makes a new one of what can be read",
  });
}

/** Throws for a copy that would be lost with the store. */
function refuseInside(folder: string, target: string): void {
  // By a link, too. A target whose parent is missing is refused when it is made.
  const parent = attempt(() => realpathSync(dirname(resolve(target)))) ?? dirname(resolve(target));
  const path = relative(
    attempt(() => realpathSync(folder)) ?? resolve(folder),
    join(parent, basename(resolve(target))),
  );
  if (path.startsWith("..") || isAbsolute(path)) return;
  throw new ToolError("INVALID_INPUT", `${target} is in the folder of the store`, {
    hint: "name a folder elsewhere, best on another disk",
  });
}

async function makeNewFolder(target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 }).catch((cause: unknown) => {
    const isThere = systemCode(cause) === "EEXIST";
    throw new ToolError("INVALID_INPUT", `${target} ${isThere ? "exists already" : "cannot be created"}`, {
      hint: "name a new folder in one that exists",
      cause,
    });
  });
}

function spooledRows(database: DatabaseSync, spoolFolder: string): readonly SpooledRow[] {
  const owners = database.prepare("SELECT id, pid, start, boot FROM owners").all() as unknown as Owner[];
  return owners.flatMap((owner) => readSpool(spoolFolder, owner));
}

/** Adds the calls that only the spools had. The copy is then one file, without a log. */
async function completeCopy(path: string, spooled: readonly SpooledRow[]): Promise<void> {
  const copy = await openDatabase(path);
  try {
    const table = createCallTable(copy);
    inTransaction(copy, () => {
      for (const one of spooled) table.put(one.row, one);
    });
    const [problem] = damageOf(copy);
    if (problem !== undefined) throw damaged(problem);
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

/** Copies the finished artifacts; returns their paths below the target. */
async function copyArtifacts(folder: string, target: string): Promise<readonly string[]> {
  const names = (await ignoreMissing(readdir(join(folder, ARTIFACTS)))) ?? [];
  const paths: string[] = [];
  await mkdir(join(target, ARTIFACTS), { mode: 0o700 });
  for (const name of names) {
    const kind = parseArtifactName(name)?.kind;
    if (kind === undefined || kind === "part") continue;
    const path = join(ARTIFACTS, name);
    // One that expires meanwhile is in no copy.
    const copied = await ignoreMissing(copyFile(join(folder, path), join(target, path)).then(() => true));
    if (copied === true) paths.push(path);
  }
  return paths;
}

/** Waits until a file or folder is on the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

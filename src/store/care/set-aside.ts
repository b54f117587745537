import { existsSync } from "node:fs";
import { copyFile, link, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { tryLockFiles } from "../../system/files/file-locks.ts";
import { ignoreMissing } from "../artifacts/artifact-file.ts";
import { databasePath } from "../open-store.ts";
import { sync } from "./backup-store.ts";

/** Of the files beside a database. */
export const DATABASE_ENDINGS = ["-wal", "-shm"] as const;

/** Returns a new name for the folder of a store that another one replaces. */
export function asideName(folder: string, name: string): string {
  return join(folder, `${name}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`);
}

/** Moves the files of a database to a new folder, but for the database itself, which is also left in place until another one replaces it. Returns the folder. */
export async function setAside(folder: string, aside: string): Promise<string> {
  await mkdir(aside, { mode: 0o700 });
  const path = databasePath(folder);
  // A file system without links gets a copy.
  await link(path, databasePath(aside)).catch(() => copyFile(path, databasePath(aside)));
  for (const ending of DATABASE_ENDINGS)
    await ignoreMissing(rename(`${path}${ending}`, `${databasePath(aside)}${ending}`));
  await ignoreMissing(rename(join(folder, "spool"), join(aside, "spool")));
  // Before another database replaces it, also if the power fails in between.
  for (const changed of [aside, folder]) await sync(changed);
  return aside;
}

/** Locks out other restores and recoveries of a store. Throws if one runs, or if there is no folder: none is made for a wrong name. */
export function lockCare(folder: string): () => void {
  if (!existsSync(folder)) throw new ToolError("INVALID_INPUT", `there is no store at ${folder}`);
  const unlock = tryLockFiles(join(folder, "care"), [folder]);
  if (unlock !== undefined) return unlock;
  throw new ToolError("UNAVAILABLE", `another process restores or recovers the store ${folder}`, {
    hint: "nothing was changed; wait until it has ended",
  });
}

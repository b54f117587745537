import { statSync } from "node:fs";
import { whenUnlocked, openDatabase, toUnavailable } from "../database/database.ts";
import { databasePath } from "../open-store.ts";

/** Returns the free space of a database to the disk, while other processes use it. Needs room for a second copy meanwhile. */
export async function compactStore(
  folder: string,
): Promise<{ readonly beforeBytes: number; readonly afterBytes: number }> {
  const path = databasePath(folder);
  const beforeBytes = sizeOf(path);
  const database = await openDatabase(path);
  try {
    // A store of an earlier version becomes one that returns free pages by itself.
    await whenUnlocked(() => database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM"));
    await whenUnlocked(() => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  } catch (error) {
    throw toUnavailable(error, `the store ${path} cannot be compacted`);
  } finally {
    database.close();
  }
  return { beforeBytes, afterBytes: sizeOf(path) };
}

/** Returns the bytes of a database and of what is only in its log. */
function sizeOf(path: string): number {
  return statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

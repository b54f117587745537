import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "../../util/async/attempt.ts";
import { endOrphans, findOrphans } from "./orphans.ts";
import { removeAbandonedFolders } from "./temporary-folder.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Its time is that of the last sweep. */
const STAMP = "swept";
const TRIES = 10;
const RETRY_MS = 50;

/**
 * Ends the programs of processes that have died, and removes their temporary folders as `removeAbandonedFolders` does. If no process of this state
 * folder has died, the folders are looked for once an hour: there may be thousands of others. Never rejects.
 */
export async function sweep(
  stateFolder: string,
  release: (folder: string) => boolean,
  bases?: readonly string[],
): Promise<void> {
  const hasOrphans = findOrphans(stateFolder).length > 0;
  if (hasOrphans) await endOrphans(stateFolder);
  const stamp = join(stateFolder, STAMP);
  if (!hasOrphans && !isDue(stamp)) return;
  // A sandbox takes a moment to end, and until then its mount points cannot be removed.
  for (let left = TRIES; left > 0; left -= 1) {
    if (await removeAbandonedFolders(bases, release)) return;
    await sleep(RETRY_MS);
  }
  // The next program tries again.
  attempt(() => rmSync(stamp, { force: true }));
}

function isDue(stamp: string): boolean {
  const last = attempt(() => statSync(stamp).mtimeMs) ?? 0;
  if (Math.abs(Date.now() - last) < HOUR_MS) return false;
  attempt(() => writeFileSync(stamp, ""));
  return true;
}

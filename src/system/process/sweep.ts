import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { endOrphans, findOrphans } from "./orphans.ts";
import { removeAbandonedFolders } from "./temporary-folder.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Its time is that of the last sweep. */
const STAMP = "swept";

/**
 * Ends the programs of processes that have died, and removes their temporary folders as `removeAbandonedFolders` does. If no process of this state
 * folder has died, the folders are looked for once an hour: there may be thousands of others. Never rejects.
 */
export async function sweep(
  stateFolder: string,
  release: (folder: string) => boolean,
  bases?: readonly string[],
): Promise<void> {
  const hasOrphans = (await findOrphans(stateFolder)).length > 0;
  if (hasOrphans) await endOrphans(stateFolder);
  if (hasOrphans || isDue(join(stateFolder, STAMP))) await removeAbandonedFolders(bases, release);
}

function isDue(stamp: string): boolean {
  const last = attempt(() => statSync(stamp).mtimeMs) ?? 0;
  if (Math.abs(Date.now() - last) < HOUR_MS) return false;
  attempt(() => writeFileSync(stamp, ""));
  return true;
}

import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { ageNow } from "../../../system/files/age-clock.ts";
import type { StateFolders } from "../../config/folders.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes sessions, reports and dumps that were last changed before the days to keep. Never rejects: the next start tries again. */
export async function removeOld(
  { reports, dumps }: Pick<StateFolders, "reports" | "dumps">,
  keepDays: number,
  collections: Collections,
): Promise<void> {
  const before = ageNow(join(reports, "..")) - keepDays * DAY_MS;
  const work = [
    removeSessions(collections, before),
    ...[reports, dumps].map((one) => removeFiles(one, before)),
  ];
  await Promise.allSettled(work);
}

async function removeSessions(collections: Collections, before: number): Promise<void> {
  const transcripts = openTranscripts(collections);
  const old = (await transcripts.list()).filter(({ updatedAt }) => updatedAt < before);
  for (const { id } of old) await transcripts.delete(id);
}

async function removeFiles(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path);
    if (stats.isFile() && stats.mtimeMs < before) await unlink(path);
  }
}
